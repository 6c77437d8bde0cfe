import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuditChain } from '../../../src/platform/outbox/audit-chain.ts';
import { createAuditLog } from '../../../src/platform/outbox/audit-log.ts';
import { chainAfterCommits } from '../../../src/platform/outbox/chain-after-commits.ts';
import { connectDatabase } from '../../../src/platform/database/connect-database.ts';
import { chainAudit } from '../../labs/chain-audit.ts';
import { eventually } from '../../labs/eventually.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { openTurnRows } from '../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);
let owner: pg.Client;

beforeAll(async () => {
  owner = new pg.Client(rows.url);
  await owner.connect();
});

afterAll(async () => {
  await owner.end();
});

function record(trx: Knex, index: number): Promise<void> {
  return createAuditLog(trx).record({ type: 'agent.configured', subjectId: null, payload: { index } });
}

function recordIn(workspaceId: string, index: number): Promise<void> {
  return rows.database.inWorkspace(workspaceId, (trx) => record(trx, index));
}

function verify(workspaceId: string) {
  return createAuditChain(rows.database.system).verify(workspaceId);
}

/** The payloads of the chain in its order. */
async function listChained(workspaceId: string): Promise<number[]> {
  const { rows: found } = await owner.query<{ index: number }>(
    `SELECT (payload ->> 'index')::int AS index FROM audit_events WHERE workspace_id = $1 ORDER BY seq`,
    [workspaceId],
  );
  return found.map(({ index }) => index);
}

function untilChained(workspaceId: string, count: number): Promise<number[]> {
  return eventually(
    () => listChained(workspaceId),
    (found) => found.length >= count,
  );
}

/** A workspace with five events that wait for their place in the chain, all in one lane. */
async function writePending(): Promise<string> {
  const { workspaceId } = await rows.createConversation();
  await chainAudit(rows.database.system);
  for (let index = 0; index < 5; index++) await recordIn(workspaceId, index);
  return workspaceId;
}

test('a transaction records an event while another one of its workspace has yet to commit', async () => {
  const { workspaceId } = await rows.createConversation();
  await rows.database.inWorkspace(workspaceId, async (open) => {
    await record(open, 1);
    await recordIn(workspaceId, 2);
    await recordIn(workspaceId, 3);
  });
  await chainAudit(rows.database.system);
  expect((await listChained(workspaceId)).sort()).toEqual([1, 2, 3]);
  expect(await verify(workspaceId)).toMatchObject({ events: 3, faults: [] });
});

test('an event of a transaction that commits later comes later in the chain', async () => {
  const { workspaceId } = await rows.createConversation();
  await rows.database.inWorkspace(workspaceId, async (open) => {
    await record(open, 1);
    await recordIn(workspaceId, 2);
    await chainAudit(rows.database.system);
  });
  await recordIn(workspaceId, 3);
  await chainAudit(rows.database.system);
  expect(await listChained(workspaceId)).toEqual([2, 1, 3]);
});

test('events that many transactions write while others move them are each in the chain once', async () => {
  const { workspaceId } = await rows.createConversation();
  const indexes = Array.from({ length: 60 }, (_, index) => index);
  await Promise.all(
    indexes.map(async (index) => {
      await recordIn(workspaceId, index);
      if (index % 5 === 0) await chainAudit(rows.database.system);
    }),
  );
  expect(await verify(workspaceId)).toMatchObject({ events: 60, faults: [] });
  expect((await listChained(workspaceId)).sort((a, b) => a - b)).toEqual(indexes);
});

describe('of the events that wait for their place in the chain', () => {
  const third =
    'number = (SELECT number FROM audit_pending WHERE workspace_id = $1 ORDER BY number OFFSET 2 LIMIT 1)';

  test.each([
    ['payload', `payload = '{"index": 99}'`],
    ['type', `type = 'tool.executed'`],
    ['time', `created_at = created_at + interval '1 microsecond'`],
    ['hash', `hash = sha256('x')`],
  ])('a changed %s is detected', async (_, change) => {
    const workspaceId = await writePending();
    await owner.query(`UPDATE audit_pending SET ${change} WHERE workspace_id = $1 AND ${third}`, [
      workspaceId,
    ]);
    const { faults } = await verify(workspaceId);
    expect(faults.map(({ fault }) => fault)).toContain('waiting_changed');
  });

  test('a changed one with a recomputed hash does not fit the next one', async () => {
    const workspaceId = await writePending();
    await owner.query(
      `UPDATE audit_pending p SET payload = '{}', hash = audit_hash(
         (SELECT hash FROM audit_pending b WHERE b.workspace_id = $1 AND b.position = p.position - 1),
         workspace_id, number, id, type, subject_id, '{}', created_at)
       WHERE workspace_id = $1 AND ${third}`,
      [workspaceId],
    );
    expect((await verify(workspaceId)).faults).toMatchObject([{ fault: 'waiting_changed' }]);
  });

  test.each([
    ['first', 'position = 1', 'waiting_missing'],
    ['third', 'position = 3', 'waiting_missing'],
    ['last', 'position = 5', 'waiting_cut_off'],
    ['whole lane', 'true', 'waiting_cut_off'],
  ])('a deleted one (%s) is detected', async (_, which, fault) => {
    const workspaceId = await writePending();
    await owner.query(`DELETE FROM audit_pending WHERE workspace_id = $1 AND ${which}`, [workspaceId]);
    expect((await verify(workspaceId)).faults).toMatchObject([{ fault }]);
  });

  test('two that were swapped are detected', async () => {
    const workspaceId = await writePending();
    await owner.query(
      `UPDATE audit_pending p SET payload = o.payload, id = o.id FROM audit_pending o
       WHERE p.workspace_id = $1 AND o.workspace_id = $1
         AND p.position IN (2, 3) AND o.position = 5 - p.position`,
      [workspaceId],
    );
    expect((await verify(workspaceId)).faults).toMatchObject([{ fault: 'waiting_changed' }]);
  });

  test('one that was added past the trigger is detected', async () => {
    const workspaceId = await writePending();
    await owner.query('ALTER TABLE audit_pending DISABLE TRIGGER link_pending_audit_event');
    await owner.query(
      `INSERT INTO audit_pending SELECT workspace_id, nextval('audit_numbers'), lane, position + 1, gen_random_uuid(),
         type, subject_id, payload, created_at, hash FROM audit_pending WHERE workspace_id = $1 AND position = 5`,
      [workspaceId],
    );
    await owner.query('ALTER TABLE audit_pending ENABLE TRIGGER link_pending_audit_event');
    expect((await verify(workspaceId)).faults).not.toEqual([]);
  });

  test('a damage stays known after they were moved and others followed', async () => {
    const workspaceId = await writePending();
    await owner.query('DELETE FROM audit_pending WHERE workspace_id = $1 AND position = 3', [workspaceId]);
    const found = await verify(workspaceId);
    await recordIn(workspaceId, 6);
    const later = await verify(workspaceId);
    expect(later.events).toBe(5);
    expect(later.faults).toEqual(found.faults);
  });
});

describe('a program', () => {
  const soon = { collectMs: 200 };

  test('moves events into the chain shortly after their commit', async () => {
    const { workspaceId } = await rows.createConversation();
    const errors: unknown[] = [];
    const database = chainAfterCommits(
      connectDatabase({ url: rows.url }),
      (error) => errors.push(error),
      soon,
    );
    await database.inWorkspace(workspaceId, (trx) => record(trx, 1));
    expect(await untilChained(workspaceId, 1)).toEqual([1]);
    await database.close();
    expect(errors).toEqual([]);
  });

  test('moves events that a process left behind as soon as it starts', async () => {
    const workspaceId = await writePending();
    const database = chainAfterCommits(connectDatabase({ url: rows.url }), () => undefined, soon);
    expect(await untilChained(workspaceId, 5)).toHaveLength(5);
    await database.close();
  });

  test('says once that events cannot be moved, and goes on', async () => {
    const { workspaceId } = await rows.createConversation();
    const errors: unknown[] = [];
    await owner.query('REVOKE EXECUTE ON FUNCTION chain_audit_events FROM holdfast_system');
    const database = chainAfterCommits(
      connectDatabase({ url: rows.url }),
      (error) => errors.push(error),
      soon,
    );
    await database.inWorkspace(workspaceId, (trx) => record(trx, 1));
    await eventually(
      () => errors.length,
      (length) => length > 0,
    );
    await database.inWorkspace(workspaceId, (trx) => record(trx, 2));
    await sleep(500);
    expect(errors).toHaveLength(1);
    await owner.query('GRANT EXECUTE ON FUNCTION chain_audit_events TO holdfast_system');
    await database.inWorkspace(workspaceId, (trx) => record(trx, 3));
    expect(await untilChained(workspaceId, 3)).toEqual([1, 2, 3]);
    await database.close();
  });
});
