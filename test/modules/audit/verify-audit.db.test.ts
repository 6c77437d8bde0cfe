import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/lib/ids.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { openTurnRows } from '../../labs/turn-rows.ts';
import { chainAudit } from '../../labs/chain-audit.ts';

const rows = openForTests(openTurnRows);

interface AuditRow {
  seq: number;
  previous_hash: Buffer;
  hash: Buffer;
  /** Returns the hashed text, as the documentation of the trigger defines it. */
  hashed: string;
}

async function writeEvents(workspaceId: string, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      rows.database.inWorkspace(workspaceId, (trx) =>
        trx('audit_pending').insert({
          id: newId(),
          type: 'test.written',
          payload: { index, text: 'Zürich' },
        }),
      ),
    ),
  );
}

async function readChain(workspaceId: string): Promise<AuditRow[]> {
  await chainAudit(rows.database.system);
  return rows.database
    .system('audit_events')
    .where({ workspace_id: workspaceId })
    .orderBy('seq')
    .select<AuditRow[]>(
      'seq',
      'previous_hash',
      'hash',
      rows.database.system.raw(
        `jsonb_build_array(workspace_id, seq, id, type, subject_id, payload, extract(epoch FROM created_at))::text AS hashed`,
      ),
    );
}

test('audit events that are written at the same time form one chain without a gap', async () => {
  const { workspaceId } = await rows.createConversation();
  await writeEvents(workspaceId, 20);
  const chain = await readChain(workspaceId);

  expect(chain.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  let previous: Buffer = Buffer.from([0]);
  for (const { previous_hash, hash, hashed } of chain) {
    expect(previous_hash).toEqual(previous);
    expect(hash).toEqual(createHash('sha256').update(previous).update(hashed, 'utf8').digest());
    previous = hash;
  }
});

test('each workspace has its own audit chain', async () => {
  const one = await rows.createConversation();
  const other = await rows.createConversation();
  await writeEvents(one.workspaceId, 3);
  await writeEvents(other.workspaceId, 2);

  expect((await readChain(one.workspaceId)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect((await readChain(other.workspaceId)).map(({ seq }) => seq)).toEqual([1, 2]);
});

test('an audit event whose transaction fails leaves no gap in the chain', async () => {
  const { workspaceId } = await rows.createConversation();
  await writeEvents(workspaceId, 1);
  const failing = rows.database.inWorkspace(workspaceId, async (trx) => {
    await trx('audit_pending').insert({ id: newId(), type: 'test.lost', payload: {} });
    throw new Error('something else went wrong');
  });
  await expect(failing).rejects.toThrow('something else');
  await writeEvents(workspaceId, 1);

  expect((await readChain(workspaceId)).map(({ seq }) => seq)).toEqual([1, 2]);
});

test('no database role of the program can change or delete audit events', async () => {
  const { workspaceId } = await rows.createConversation();
  await writeEvents(workspaceId, 1);
  const attempts = [
    () => rows.database.inWorkspace(workspaceId, (trx) => trx('audit_events').update({ type: 'x' })),
    () => rows.database.inWorkspace(workspaceId, (trx) => trx('audit_events').delete()),
    () => rows.database.inWorkspace(workspaceId, (trx) => trx.raw('TRUNCATE audit_events')),
    () => rows.database.system('audit_events').update({ type: 'x' }),
    () => rows.database.system('audit_events').delete(),
    () => rows.database.system.raw('TRUNCATE audit_events'),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toThrow(/permission denied|must be owner/);
});
