import pg from 'pg';
import { expect, test } from 'vitest';
import { connectDatabase } from '../../../src/platform/database/connect-database.ts';
import { createRoutineEventRepository } from '../../../src/modules/routines/runs/routine-event-repository.ts';
import type { Query } from '../../../src/platform/database/statement.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { createCleanups } from '../../labs/cleanups.ts';
import { createTestDatabase } from '../../labs/postgres.ts';
import { eventually } from '../../labs/eventually.ts';

const cleanups = createCleanups();

async function openEvents() {
  const testDatabase = await createTestDatabase();
  cleanups.push(testDatabase.drop);
  const database = connectDatabase({ url: testDatabase.url });
  cleanups.push(database.close);
  const [workspaceId, runId] = [newId(), newId()];
  await database.system('workspaces').insert({ id: workspaceId, name: 'Events' });
  await database.system('routine_runs').insert({
    ...{ id: runId, workspace_id: workspaceId, routine_id: newId(), version: 1, agent_id: newId() },
    ...{ conversation_id: newId(), request_hash: 'hash' },
  });
  const run = <Result>(work: (query: Query) => Promise<Result>) => database.pipelined(workspaceId, work);
  return {
    ...{ testDatabase, workspaceId, runId },
    emit: (id = newId()) =>
      run((query) =>
        createRoutineEventRepository(query).emit({ id, runId, by: [], person: null, event: {} }),
      ),
    listen: () => run((query) => createRoutineEventRepository(query).beginListening(runId)),
    takeAfter: (position: number) =>
      run((query) => createRoutineEventRepository(query).takeAfter({ runId, position, limit: 10 })),
  };
}

test('a run takes the events that are emitted after it began to listen, each once', async () => {
  const { runId, emit, listen, takeAfter } = await openEvents();
  expect(await emit()).toEqual([]);
  const position = await listen();
  const id = newId();
  expect(await emit(id)).toEqual([runId]);
  expect(await emit(id)).toEqual([runId]);
  expect((await takeAfter(position)).events).toHaveLength(1);
});

test('an event that is emitted while a run begins to listen is found by the run, or finds it', async () => {
  const { testDatabase, workspaceId, runId, emit, listen } = await openEvents();
  const client = new pg.Client(testDatabase.url);
  await client.connect();
  cleanups.push(() => client.end());
  await client.query('BEGIN');
  const key = `routine events ${workspaceId}`;
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
  const countWaiting = async () => {
    const { rows } = await client.query<{ count: string }>(
      `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return Number(rows[0]?.count);
  };
  const emitted = emit();
  await eventually(countWaiting, (count) => count === 1);
  const listening = listen();
  await eventually(countWaiting, (count) => count === 2);
  await client.query('COMMIT');

  const [found, position] = await Promise.all([emitted, listening]);
  expect(found.includes(runId) || position > 0).toBe(true);
});
