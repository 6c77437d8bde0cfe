import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuditChain } from '../../../src/db/audit/audit-chain.ts';
import { createAuditLog } from '../../../src/db/audit/audit-log.ts';
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

/** A workspace whose chain has five events. */
async function writeChain(): Promise<string> {
  const { workspaceId } = await rows.createConversation();
  for (let index = 0; index < 5; index++) {
    await rows.database.inWorkspace(workspaceId, (trx) =>
      createAuditLog(trx).record({ type: 'agent.configured', subjectId: null, payload: { index } }),
    );
  }
  return workspaceId;
}

function verify(workspaceId: string) {
  return createAuditChain(rows.database.system).verify(workspaceId);
}

test('an unchanged chain is valid, and its head is the hash of its newest event', async () => {
  const workspaceId = await writeChain();
  const report = await verify(workspaceId);
  const [newest] = await rows.database.inWorkspace(workspaceId, (trx) =>
    createAuditLog(trx).list({ limit: 1 }),
  );
  expect(report).toEqual({ workspaceId, events: 5, head: newest?.hash, faults: [] });
});

test('the chain of a workspace without events is valid', async () => {
  const { workspaceId } = await rows.createConversation();
  expect(await verify(workspaceId)).toEqual({ workspaceId, events: 0, head: null, faults: [] });
});

test.each([
  ['type', `type = 'tool.executed'`],
  ['payload', `payload = '{"index": 99}'`],
  ['time', `created_at = created_at + interval '1 microsecond'`],
  ['subject', 'subject_id = id'],
  ['id', 'id = gen_random_uuid()'],
  ['hash', `hash = sha256('x')`],
])('a changed %s of an event is detected', async (_, change) => {
  const workspaceId = await writeChain();
  await owner.query(`UPDATE audit_events SET ${change} WHERE workspace_id = $1 AND seq = 3`, [workspaceId]);
  const { faults } = await verify(workspaceId);
  expect(faults).toContainEqual({ seq: 3, fault: 'changed' });
});

test('a changed event with a recomputed hash does not fit the next event', async () => {
  const workspaceId = await writeChain();
  await owner.query(
    `UPDATE audit_events SET payload = '{}', hash = sha256(previous_hash || convert_to(jsonb_build_array(workspace_id,
       seq, id, type, subject_id, '{}'::jsonb, extract(epoch FROM created_at))::text, 'UTF8'))
     WHERE workspace_id = $1 AND seq = 3`,
    [workspaceId],
  );
  expect((await verify(workspaceId)).faults).toEqual([{ seq: 4, fault: 'reordered' }]);
});

test('a deleted event is detected', async () => {
  const workspaceId = await writeChain();
  await owner.query('DELETE FROM audit_events WHERE workspace_id = $1 AND seq = 2', [workspaceId]);
  expect((await verify(workspaceId)).faults).toEqual([{ seq: 3, fault: 'missing' }]);
});

test('a deleted first event is detected', async () => {
  const workspaceId = await writeChain();
  await owner.query('DELETE FROM audit_events WHERE workspace_id = $1 AND seq = 1', [workspaceId]);
  expect((await verify(workspaceId)).faults).toEqual([{ seq: 2, fault: 'missing' }]);
});

test('a deleted end of the chain is detected', async () => {
  const workspaceId = await writeChain();
  await owner.query('DELETE FROM audit_events WHERE workspace_id = $1 AND seq > 3', [workspaceId]);
  expect((await verify(workspaceId)).faults).toEqual([{ seq: 4, fault: 'cut_off' }]);
});

test('a chain whose events were all deleted is detected', async () => {
  const workspaceId = await writeChain();
  await owner.query('DELETE FROM audit_events WHERE workspace_id = $1', [workspaceId]);
  expect((await verify(workspaceId)).faults).toEqual([{ seq: 1, fault: 'cut_off' }]);
});

test('two events that were swapped are detected', async () => {
  const workspaceId = await writeChain();
  await owner.query(
    `UPDATE audit_events SET seq = CASE seq WHEN 2 THEN -3 ELSE -2 END WHERE workspace_id = $1 AND seq IN (2, 3)`,
    [workspaceId],
  );
  await owner.query('UPDATE audit_events SET seq = -seq WHERE workspace_id = $1 AND seq < 0', [workspaceId]);
  const { faults } = await verify(workspaceId);
  expect(faults.map(({ seq }) => seq)).toEqual([2, 3, 4]);
});

test('no database role of the program can change the head of a chain', async () => {
  const workspaceId = await writeChain();
  const attempts = [
    () => rows.database.system('audit_heads').where({ workspace_id: workspaceId }).update({ seq: 3 }),
    () => rows.database.system('audit_heads').where({ workspace_id: workspaceId }).delete(),
    () => rows.database.inWorkspace(workspaceId, (trx) => trx('audit_heads').update({ seq: 3 })),
    () => rows.database.inWorkspace(workspaceId, (trx) => trx('audit_heads').delete()),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toThrow(/permission denied/);
});

test('every workspace with a chain is listed, also when all events of its chain were deleted', async () => {
  const whole = await writeChain();
  const lost = await writeChain();
  await owner.query('DELETE FROM audit_events WHERE workspace_id = $1', [lost]);
  expect(await createAuditChain(rows.database.system).listWorkspaces()).toEqual(
    expect.arrayContaining([whole, lost]),
  );
});
