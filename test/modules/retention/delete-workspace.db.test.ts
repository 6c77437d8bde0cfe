import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createAuditChain } from '../../../src/platform/outbox/audit-chain.ts';
import { authenticateKey } from '../../../src/modules/workspaces/keys/authenticate-key.ts';
import { issueApiKey } from '../../../src/modules/workspaces/keys/create-api-key.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { insertFile } from '../../labs/file-rows.ts';
import { insertSkill } from '../../labs/skill-rows.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { openRemovalRows } from '../../labs/removal-rows.ts';
import { runCli } from '../../labs/run-cli.ts';
import { insertCredits } from '../../labs/credit-rows.ts';
import { insertSession } from '../../labs/session-rows.ts';
import {
  createAnswer,
  insertGrant,
  insertPendingAction,
  insertMessages,
  insertReplayRun,
  insertResource,
  insertSchedule,
  insertStuckWorkflow,
  insertImportedProvider,
  insertTrigger,
  insertRoutineRun,
  insertSwarm,
  insertWebhook,
  type RowRef,
} from '../../labs/turn-rows.ts';

const rows = openForTests(openRemovalRows);

function run(...words: string[]) {
  const environment = { DATABASE_URL: rows.url, HOLDFAST_DATA_DIR: '/no/such/folder' };
  return runCli(['workspaces', ...words], { environment });
}

async function listTables(): Promise<string[]> {
  const { rows: found } = await rows.database.system.raw<{ rows: { name: string }[] }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE column_name = 'workspace_id' AND table_schema = 'public' AND table_name NOT LIKE 'audit_%'
     ORDER BY table_name COLLATE "C"`,
  );
  return found.map(({ name }) => name);
}

/** A workspace with at least one row in each table. */
async function fillWorkspace(): Promise<RowRef & { key: string }> {
  const place = await rows.createConversation();
  await rows.playTurn(place);
  await rows.database.inWorkspace(place.workspaceId, async (trx) => {
    const [connection_id, connector_id, file_id, knowledge_base_id] = [newId(), newId(), newId(), newId()];
    await trx('connections').insert({ id: connection_id, name: 'Server', provider: 'mcp', auth: {} });
    await trx('connectors').insert({ id: connector_id, name: 'server', type: 'mcp', connection_id });
    await trx('connector_tools').insert({ tool: 'search', connector_id, position: 0 });
    const sealed = { state_hash: randomBytes(32), sealed: Buffer.from('x'), key_id: 'key' };
    await trx('authorization_requests').insert({ ...sealed, connection_id, expires_at: new Date() });
    const { agentId: agent_id } = place;
    await trx('agent_connectors').insert({ agent_id, connector_id });
    await trx('tool_pins').insert({ agent_id, tool_id: newId(), hash: 'x', definition: {} });
    await trx('tool_call_counts').insert({ agent_id, tool: 'search', day: '2026-01-01', calls: 1 });
    const turn = await trx('turns').first<{ id: string }>('id');
    await trx('turn_call_counts').insert({ turn_id: turn.id, key: 'search', calls: 1 });
    await insertFile(trx, turn.id);
    await insertFile(trx);
    await insertPendingAction(trx);
    await insertGrant(trx);
    await insertCredits(trx);
    await insertSession(trx);
    await insertSchedule(trx);
    await insertStuckWorkflow(trx);
    await insertImportedProvider(trx);
    await insertTrigger(trx);
    await insertWebhook(trx);
    await insertResource(trx);
    await insertSkill(trx);
    await insertMessages(trx);
    await insertReplayRun(trx, place.conversationId);
    await insertRoutineRun(trx, place);
    await insertSwarm(trx);
    await trx('files').insert({
      id: file_id,
      media_type: 'text/plain',
      bytes: Buffer.from('x'),
      size: 1,
      sha256: 'x',
    });
    await trx('file_texts').insert({ file_id, text: 'x', characters: 1 });
    const base = { name: 'Base', description: '', language: 'english', chunk_characters: 1600 };
    await trx('knowledge_bases').insert({ id: knowledge_base_id, ...base, chunk_overlap: 0 });
    const document = { id: newId(), name: 'Document', media_type: 'text/plain', bytes: 1 };
    await trx('documents').insert({ ...document, knowledge_base_id, file_id });
    const chunk = { document_id: document.id, generation: 1, knowledge_base_id, headings: '[]', text: 'x' };
    const positions = Array.from({ length: 1500 }, (_, position) => position);
    await trx('chunks').insert(positions.map((position) => ({ ...chunk, position, search: 'x' })));
  });
  const input = { name: 'key', scopes: ['agents:read' as const] };
  const { key } = await issueApiKey({ database: rows.database }, place.workspaceId, input);
  return { ...place, key };
}

describe('workspaces delete', () => {
  test('removes every row of a workspace but its audit log, and no row of another one', async () => {
    const place = await fillWorkspace();
    const other = await fillWorkspace();
    const tables = await listTables();
    const kept = await rows.count(other, tables);
    expect(Object.keys(kept)).toEqual(tables);
    const chain = createAuditChain(rows.database.system);
    const before = await chain.verify(place.workspaceId);

    const dry = await run('delete', place.workspaceId, '--dry-run');
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    expect(dry.stdout).toContain('has 1 agents, 1 conversations and 1 knowledge bases.');
    expect(await rows.count(place, ['turns'])).toEqual({ turns: 1 });

    const deleted = await run('delete', place.workspaceId);
    expect(deleted).toMatchObject({ code: 0, stderr: '' });
    expect(deleted.stdout).toContain('All its rows are removed. Its audit log stays.');
    expect(await rows.count(place, tables)).toEqual({});
    expect(await rows.count(other, tables)).toEqual(kept);
    await expect(authenticateKey({ database: rows.database }, place.key)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    expect(await chain.verify(place.workspaceId)).toMatchObject({ events: before.events + 1, faults: [] });
  });

  test('takes a workspace once', async () => {
    const { workspaceId } = await rows.createConversation();
    await run('delete', workspaceId);
    const again = await run('delete', workspaceId);
    expect(again).toMatchObject({ code: 1 });
    expect(again.stderr).toContain('There is no workspace');
  });

  test('asks turns to stop, and removes them when they have', async () => {
    const place = await rows.createConversation();
    const { turn } = await rows.submit(place);
    const running = run('delete', place.workspaceId);
    await expect
      .poll(() => rows.database.system('turns').where({ id: turn.id }).pluck('cancel_requested_at'), {
        timeout: 20_000,
      })
      .toEqual([expect.any(Date)]);
    await rows.storeAnswer(place, createAnswer(turn.id, { outcome: 'completed' }));
    expect((await running).stdout).toContain('All its rows are removed.');
    expect(await rows.count(place)).toEqual({});
  });
});

describe('workspaces retention', () => {
  test('sets the age of one workspace, and takes it back', async () => {
    const { workspaceId } = await rows.createConversation();
    const read = () => rows.database.system('workspaces').where({ id: workspaceId }).pluck('retention_days');
    expect(await run('retention', workspaceId, '30')).toMatchObject({ code: 0 });
    expect(await read()).toEqual([30]);
    expect(await run('retention', workspaceId, 'default')).toMatchObject({ code: 0 });
    expect(await read()).toEqual([null]);
    const refused = await run('retention', workspaceId, 'soon');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('days: expected a number of days from 1 to 36500, or "default"');
  });
});
