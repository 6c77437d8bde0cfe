import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { createRoutineRunRepository } from '../../../src/modules/routines/runs/routine-run-repository.ts';
import { createSwarmRepository } from '../../../src/modules/swarms/swarm-repository.ts';
import type { Page, PageRequest } from '../../../src/platform/database/page.ts';
import type { Query } from '../../../src/platform/database/statement.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { insertRoutineRun, insertSwarm, openTurnRows, type RowRef } from '../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

const lists = [
  {
    table: 'routine_runs',
    insert: (trx: Knex, place: RowRef) => insertRoutineRun(trx, place),
    list: (query: Query, page: PageRequest): Promise<Page<{ id: string }>> =>
      createRoutineRunRepository(query).listRuns(page),
  },
  {
    table: 'swarms',
    insert: (trx: Knex) => insertSwarm(trx),
    list: (query: Query, page: PageRequest): Promise<Page<{ id: string }>> =>
      createSwarmRepository(query).listSwarms(page),
  },
];

// Their ids come from hashes; those of this test have the order of time, so the times are set against it.
test.each(lists)('$table are listed newest first, page by page', async ({ table, insert, list }) => {
  const place = await rows.createConversation();
  const ids = await rows.database.inWorkspace(place.workspaceId, async (trx) => {
    const inserted: string[] = [];
    for (let day = 1; day <= 5; day++) {
      const id = await insert(trx, place);
      await trx(table)
        .where({ id })
        .update({ created_at: `2026-01-0${6 - day}T00:00:00Z` });
      inserted.push(id);
    }
    return inserted;
  });
  const read = (page: PageRequest): Promise<Page<{ id: string }>> =>
    rows.database.pipelined(place.workspaceId, (query) => list(query, page));
  const first = await read({ limit: 2 });
  const second = await read({ limit: 2, cursor: first.nextCursor ?? undefined });
  const third = await read({ limit: 2, cursor: second.nextCursor ?? undefined });
  expect([first, second, third].map(({ items }) => items.map(({ id }) => id))).toEqual([
    ids.slice(0, 2),
    ids.slice(2, 4),
    ids.slice(4),
  ]);
  expect(third.nextCursor).toBeNull();
});
