import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logAuditHeads } from '../../../src/modules/audit/log-audit-heads.ts';
import { verifyAudit } from '../../../src/modules/audit/verify-audit.ts';
import { createAuditChain } from '../../../src/platform/outbox/audit-chain.ts';
import { createAuditLog } from '../../../src/platform/outbox/audit-log.ts';
import { eventually } from '../../labs/eventually.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { openTurnRows } from '../../labs/turn-rows.ts';
import { chainAudit } from '../../labs/chain-audit.ts';

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
  await chainAudit(rows.database.system);
  return workspaceId;
}

function verify(workspaceId: string) {
  return createAuditChain(rows.database.system).verify(workspaceId);
}

test('an unchanged chain is valid, and its head is the hash of its newest event', async () => {
  const workspaceId = await writeChain();
  const report = await verify(workspaceId);
  const [newest] = await rows.database.inWorkspace(workspaceId, (trx) =>
    createAuditLog(trx).list(workspaceId, { limit: 1 }),
  );
  expect(report).toEqual({ workspaceId, events: 5, head: newest?.hash, faults: [] });
});

test('a list has the newest of more events than one transaction moves into the chain', async () => {
  const { workspaceId } = await rows.createConversation();
  const events = await rows.database.inWorkspace(workspaceId, async (trx) => {
    await trx.raw(`INSERT INTO audit_pending (id, type, payload)
      SELECT gen_random_uuid(), 'agent.configured', jsonb_build_object('index', n) FROM generate_series(1, 1001) AS n`);
    return createAuditLog(trx).list(workspaceId, { limit: 1 });
  });
  expect(events).toMatchObject([{ seq: 1001, payload: { index: 1001 } }]);
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

/** Replaces the payload of an event and computes the whole chain anew, as only the owner of the database can. */
async function writeAnew(workspaceId: string, seq: number): Promise<void> {
  await owner.query(
    `DO $$ DECLARE event audit_events; before bytea := '\\x00'; BEGIN
       UPDATE audit_events SET payload = '{"index": 99}' WHERE workspace_id = '${workspaceId}' AND seq = ${seq};
       FOR event IN SELECT * FROM audit_events WHERE workspace_id = '${workspaceId}' ORDER BY seq LOOP
         UPDATE audit_events SET previous_hash = before, hash = sha256(before || convert_to(jsonb_build_array(
           workspace_id, audit_events.seq, id, type, subject_id, payload, extract(epoch FROM created_at))::text, 'UTF8'))
         WHERE workspace_id = event.workspace_id AND audit_events.seq = event.seq RETURNING hash INTO before;
       END LOOP;
       UPDATE audit_heads SET hash = before WHERE workspace_id = '${workspaceId}';
     END $$`,
  );
}

test('a head that was logged is found again, until its chain is written anew', async () => {
  const workspaceId = await writeChain();
  const lines: { workspaceId: string; seq: number; head: string }[] = [];
  const logger = { info: (fields: object) => void lines.push(fields as never), warn: () => undefined };
  const stop = logAuditHeads({ database: rows.database, logger, intervalMs: 20 });
  const logged = () => lines.filter((line) => line.workspaceId === workspaceId);
  await eventually(logged, ({ length }) => length === 1);
  await rows.database.inWorkspace(workspaceId, (trx) =>
    createAuditLog(trx).record({ type: 'agent.configured', subjectId: null, payload: {} }),
  );
  await chainAudit(rows.database.system);
  await eventually(logged, ({ length }) => length === 2);
  stop();
  const expected = logged().map(({ head }) => head);
  const before = await verifyAudit(rows.database, { expected });
  expect(before.lines).toContain(`expected ${expected[0] ?? ''}: event 5 of workspace ${workspaceId}`);

  await writeAnew(workspaceId, 2);
  expect((await verify(workspaceId)).faults).toEqual([]);
  const after = await verifyAudit(rows.database, { expected });
  expect(after.isWhole).toBe(false);
  expect(after.lines.filter((line) => line.includes('NOT found'))).toHaveLength(2);
});

test('an expected head that is no hash is refused', async () => {
  await expect(verifyAudit(rows.database, { expected: ['abc'] })).rejects.toThrow(/64 hexadecimal digits/);
});
