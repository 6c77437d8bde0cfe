import { expect, test } from 'vitest';
import { connectDatabase } from '../../../src/platform/database/connect-database.ts';
import { createRoutineRunRepository } from '../../../src/modules/routines/runs/routine-run-repository.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { createCleanups } from '../../labs/cleanups.ts';
import { createTestDatabase } from '../../labs/postgres.ts';

const cleanups = createCleanups();

/** Six runs, two of each minute, the newest first; every second one is of the routine. */
async function openRuns() {
  const testDatabase = await createTestDatabase();
  cleanups.push(testDatabase.drop);
  const database = connectDatabase({ url: testDatabase.url });
  cleanups.push(database.close);
  const [workspaceId, routineId, otherId, agent_id] = [newId(), newId(), newId(), newId()];
  const workspace_id = workspaceId;
  await database.system('workspaces').insert({ id: workspaceId, name: 'Runs' });
  await database
    .system('routines')
    .insert([routineId, otherId].map((id) => ({ id, workspace_id, agent_id, namespace: 'runs', name: id })));
  const ids = Array.from({ length: 6 }, (_, index) => `f000000${9 - index}-0000-8000-8000-000000000000`);
  await database.system('routine_runs').insert(
    ids.map((id, index) => ({
      ...{ id, workspace_id, agent_id, version: 1, conversation_id: newId(), request_hash: 'hash' },
      routine_id: index % 2 === 0 ? routineId : otherId,
      created_at: new Date(Date.UTC(2026, 0, 1, 0, 9 - Math.floor(index / 2))),
    })),
  );
  const list = async (page: { limit: number; cursor?: string; routineId?: string }) => {
    const { items } = await database.pipelined(workspaceId, (query) =>
      createRoutineRunRepository(query).listRuns(page),
    );
    return items.map(({ id }) => ids.indexOf(id));
  };
  return { ids, routineId, list };
}

test('pages of runs go on after the run of the cursor, also among runs of one time', async () => {
  const { ids, list } = await openRuns();

  expect(await list({ limit: 3 })).toEqual([0, 1, 2]);
  expect(await list({ limit: 3, cursor: ids[2] ?? '' })).toEqual([3, 4, 5]);
  expect(await list({ limit: 3, cursor: ids[5] ?? '' })).toEqual([]);
});

test('pages of the runs of a routine have no others', async () => {
  const { ids, routineId, list } = await openRuns();

  expect(await list({ limit: 2, routineId })).toEqual([0, 2]);
  expect(await list({ limit: 2, routineId, cursor: ids[2] ?? '' })).toEqual([4]);
});

test('a page after a run that is not there is empty', async () => {
  const { list } = await openRuns();

  expect(await list({ limit: 3, cursor: newId() })).toEqual([]);
});
