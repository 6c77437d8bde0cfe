import type { Knex } from 'knex';
import { beforeEach, expect, test } from 'vitest';
import { createReplaySweepRepository } from '../../../src/modules/replays/replay-sweep-repository.ts';
import { createRoutineSweepRepository } from '../../../src/modules/routines/routine-sweep-repository.ts';
import { createSwarmSweepRepository } from '../../../src/modules/swarms/swarm-sweep-repository.ts';
import { createDeliverySweepRepository } from '../../../src/modules/webhooks/deliveries/delivery-sweep-repository.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { openTwoWorkspaces } from '../../labs/two-workspaces.ts';

const workspaces = openForTests(openTwoWorkspaces);
const longAgo = new Date(Date.now() - 24 * 60 * 60_000);
const limit = 100;

interface Kind {
  table: string;
  row: () => object;
  /** Takes rows and returns how many. */
  take: (system: Knex) => Promise<number>;
  markSwept: (system: Knex, ids: string[]) => Promise<void>;
}

const kinds: [string, Kind][] = [
  [
    'swarm',
    {
      table: 'swarms',
      row: () => ({
        ...{ kind: 'simple', goal: 'Do it.', limits: '{}', request_hash: 'hash' },
        ...{ deadline_at: new Date(), updated_at: longAgo },
      }),
      take: async (system) => (await createSwarmSweepRepository(system).take(limit)).length,
      markSwept: (system, ids) => createSwarmSweepRepository(system).markSwept(ids),
    },
  ],
  [
    'run of a routine',
    {
      table: 'routine_runs',
      row: () => ({
        ...{ routine_id: newId(), version: 1, agent_id: newId(), conversation_id: newId() },
        ...{ request_hash: 'hash', created_at: longAgo },
      }),
      take: async (system) =>
        (await createRoutineSweepRepository(system).takeSilent({ graceMs: 60_000, limit })).length,
      markSwept: (system, ids) => createRoutineSweepRepository(system).markSwept(ids),
    },
  ],
  [
    'delivery to a webhook',
    {
      table: 'webhook_deliveries',
      row: () => ({ webhook_id: newId(), type: 'turn.settled', data: '{}', next_attempt_at: longAgo }),
      take: async (system) => (await createDeliverySweepRepository(system).take(limit)).length,
      markSwept: (system, ids) => createDeliverySweepRepository(system).markSwept(ids),
    },
  ],
  [
    'replay',
    {
      table: 'replays',
      row: () => ({ name: 'Replay', input: '{}', updated_at: longAgo }),
      take: async (system) => (await createReplaySweepRepository(system).take(limit)).length,
      markSwept: (system, ids) => createReplaySweepRepository(system).markSwept(ids),
    },
  ],
];

beforeEach(async () => {
  for (const [, { table }] of kinds) await workspaces.database.system(table).delete();
});

async function store({ table, row }: Kind): Promise<string> {
  const id = newId();
  await workspaces.inOwn((trx) => trx(table).insert({ id, ...row() }));
  return id;
}

/** Moves the clock for the sweeps of a table. */
async function pass(table: string, span: string): Promise<void> {
  const { system } = workspaces.database;
  await system(table).update({ swept_at: system.raw(`swept_at - interval '${span}'`) });
}

test.each(kinds)('a %s whose sweep died is taken again when the lease is over', async (_, kind) => {
  const { system } = workspaces.database;
  await store(kind);
  expect(await kind.take(system)).toBe(1);
  expect(await kind.take(system)).toBe(0);
  await pass(kind.table, '10 seconds');
  expect(await kind.take(system)).toBe(1);
});

test.each(kinds)('a %s that was swept rests', async (_, kind) => {
  const { system } = workspaces.database;
  const id = await store(kind);
  expect(await kind.take(system)).toBe(1);
  await kind.markSwept(system, [id]);
  await pass(kind.table, '15 seconds');
  expect(await kind.take(system)).toBe(0);
  await pass(kind.table, '5 minutes');
  expect(await kind.take(system)).toBe(1);
});
