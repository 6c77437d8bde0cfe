import { expect, test } from 'vitest';
import { createAuditChain } from '../../../src/platform/outbox/audit-chain.ts';
import { createTurnContextRepository } from '../../../src/modules/turns/context/turn-context-repository.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { openRemovalRows } from '../../labs/removal-rows.ts';
import {
  insertGrant,
  insertReplayRun,
  insertRoutineRun,
  insertSwarm,
  insertTrigger,
  insertWebhook,
} from '../../labs/turn-rows.ts';

const rows = openForTests(openRemovalRows);

test('without a setting nothing is removed', async () => {
  const place = await rows.createConversation();
  await rows.playTurn(place, 4000);
  await rows.age(place, 4000);
  const before = await rows.count(place);
  expect(await rows.remove()).toMatchObject({ turns: 0, conversations: 0 });
  expect(await rows.count(place)).toEqual(before);
});

test('turns that are older than the setting are removed, with the conversations that they leave empty', async () => {
  await rows.remove({ retentionDays: 30 });
  const emptied = await rows.createConversation();
  await rows.age(emptied, 40);
  await rows.playTurn(emptied, 35);
  const used = await rows.createConversation({}, emptied.workspaceId);
  await rows.age(used, 40);
  await rows.playTurn(used, 35);
  const { turnId } = await rows.playTurn(used, 29);
  const unused = await rows.createConversation({}, emptied.workspaceId);
  await rows.age(unused, 31);
  const fresh = await rows.createConversation({}, emptied.workspaceId);

  expect(await rows.remove({ retentionDays: 30 })).toMatchObject({ turns: 2, conversations: 2 });
  const left = await rows.database
    .system('conversations')
    .where({ workspace_id: emptied.workspaceId })
    .pluck('id');
  expect(left.sort()).toEqual([used.conversationId, fresh.conversationId].sort());
  expect(
    await rows.database.system('turns').where({ workspace_id: emptied.workspaceId }).pluck('id'),
  ).toEqual([turnId]);
});

test('an imported turn is as old as its import', async () => {
  const place = await rows.createConversation();
  const { turnId } = await rows.playTurn(place, 400);
  const importBefore = (days: number) =>
    rows.database
      .system('turns')
      .where({ id: turnId })
      .update({ imported_at: new Date(Date.now() - days * 24 * 3_600_000) });
  await importBefore(29);
  expect(await rows.remove({ retentionDays: 30 })).toMatchObject({ turns: 0 });
  await importBefore(31);
  expect(await rows.remove({ retentionDays: 30 })).toMatchObject({ turns: 1 });
});

test('what it removes is in the audit log, whose own events stay', async () => {
  const place = await rows.createConversation();
  const chain = createAuditChain(rows.database.system);
  await rows.playTurn(place, 35);
  const before = await chain.verify(place.workspaceId);
  await rows.remove({ retentionDays: 30 });
  expect(await chain.verify(place.workspaceId)).toMatchObject({ events: before.events + 1, faults: [] });
  const where = { workspace_id: place.workspaceId, type: 'retention.applied' };
  expect(await rows.database.system('audit_events').where(where)).toMatchObject([
    { payload: { removed: { turns: 1, conversations: 0 } } },
  ]);
});

test('a conversation goes on after its older turns were removed', async () => {
  const place = await rows.createConversation();
  await rows.playTurn(place, 35);
  await rows.playTurn(place, 1);
  await rows.remove({ retentionDays: 30 });
  const { turn } = await rows.submit(place, { message: 'And now?' });
  const context = await rows.database.transact(place.workspaceId, (query) =>
    createTurnContextRepository(query).listContext(turn.id, { iteration: 1 }),
  );
  expect(JSON.stringify(context)).toContain('And now?');
  expect(JSON.stringify(context)).toContain('Hello');
});

test('a turn that still runs stays, however old it is', async () => {
  const place = await rows.createConversation();
  const { turn } = await rows.submit(place);
  const old = new Date('2020-01-01');
  await rows.database.system('turns').where({ id: turn.id }).update({ created_at: old, started_at: old });
  await rows.remove({ retentionDays: 1 });
  expect(await rows.count(place, ['turns'])).toEqual({ turns: 1 });
});

test('a workspace may have a setting of its own', async () => {
  const place = await rows.createConversation();
  await rows.playTurn(place, 10);
  await rows.database.system('workspaces').where({ id: place.workspaceId }).update({ retention_days: 7 });
  await rows.remove();
  expect(await rows.count(place, ['turns'])).toEqual({});
});

test('counts of tool calls, files that nothing has and ended approvals are removed at the same age', async () => {
  const { workspaceId, agentId } = await rows.createConversation();
  const [documentFile, oldFile, newFile] = [newId(), newId(), newId()];
  const old = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);
  await rows.database.inWorkspace(workspaceId, async (trx) => {
    const count = { agent_id: agentId, tool: 'search', calls: 1 };
    await trx('tool_call_counts').insert([
      { ...count, day: old },
      { ...count, day: new Date() },
    ]);
    const later = new Date(Date.now() + 60_000);
    await insertGrant(trx, { until: old });
    await insertGrant(trx, { until: later, revoked_at: old });
    await insertGrant(trx, { until: later, revoked_at: new Date() });
    const file = { media_type: 'text/plain', bytes: Buffer.from('x'), size: 1, sha256: 'x', created_at: old };
    await trx('files').insert([
      { ...file, id: documentFile },
      { ...file, id: oldFile },
      { ...file, id: newFile, created_at: new Date() },
    ]);
    const base = { id: newId(), name: 'Base', description: '', language: 'english' };
    await trx('knowledge_bases').insert({ ...base, chunk_characters: 1600, chunk_overlap: 0 });
    const document = { knowledge_base_id: base.id, name: 'Document', media_type: 'text/plain', bytes: 1 };
    await trx('documents').insert({ id: newId(), file_id: documentFile, ...document });
  });
  await rows.remove({ retentionDays: 30 });
  const files = await rows.database.system('files').where({ workspace_id: workspaceId }).pluck('id');
  expect(files.sort()).toEqual([documentFile, newFile].sort());
  expect(await rows.count({ workspaceId }, ['tool_call_counts', 'approval_grants'])).toEqual({
    tool_call_counts: 1,
    approval_grants: 1,
  });
});

test('deliveries to webhooks are removed at the same age, unless they still wait', async () => {
  const place = await rows.createConversation();
  await rows.database.inWorkspace(place.workspaceId, async (trx) => {
    await insertWebhook(trx, { daysAgo: 35 });
    await insertWebhook(trx, { daysAgo: 35, status: 'pending' });
    await insertWebhook(trx, { daysAgo: 29 });
  });
  await rows.remove({ retentionDays: 30 });
  expect(await rows.count(place, ['webhooks', 'webhook_deliveries'])).toEqual({
    webhooks: 3,
    webhook_deliveries: 2,
  });
});

test('deliveries to triggers are removed at the same age, unless they still wait', async () => {
  const place = await rows.createConversation();
  await rows.database.inWorkspace(place.workspaceId, async (trx) => {
    await insertTrigger(trx, 35);
    await insertTrigger(trx, 35, { status: 'accepted' });
    await insertTrigger(trx, 29);
  });
  await rows.remove({ retentionDays: 30 });
  expect(await rows.count(place, ['triggers', 'trigger_deliveries'])).toEqual({
    triggers: 3,
    trigger_deliveries: 2,
  });
});

test('swarms are removed at the same age with their shared state', async () => {
  const place = await rows.createConversation();
  await rows.database.inWorkspace(place.workspaceId, async (trx) => {
    await insertSwarm(trx, 35);
    await insertSwarm(trx);
  });
  await rows.remove({ retentionDays: 30 });
  const left = { swarms: 1, swarm_subtasks: 1, swarm_blackboard: 1, swarm_turns: 1, swarm_updates: 1 };
  expect(await rows.count(place, Object.keys(left))).toEqual(left);
});

test('runs of routines are removed at the same age with their steps; routines and runs that go on stay', async () => {
  const place = await rows.createConversation();
  const left = await rows.database.inWorkspace(place.workspaceId, async (trx) => {
    await insertRoutineRun(trx, place, 35);
    await insertRoutineRun(trx, place, 31);
    const open = await insertRoutineRun(trx, place, 400);
    await trx('routine_runs').where({ id: open }).update({ status: 'running', settled_at: null });
    return [await insertRoutineRun(trx, place, 29), open];
  });
  await rows.remove({ retentionDays: 30 });
  const runs = rows.database.system('routine_runs').where({ workspace_id: place.workspaceId });
  expect((await runs.pluck('id')).sort()).toEqual(left.sort());
  expect(await rows.count(place, ['routines', 'routine_versions', 'routine_steps'])).toEqual({
    ...{ routines: 4, routine_versions: 4, routine_steps: 2 },
  });
});

test('replays are removed at the same age with their cases and runs', async () => {
  const place = await rows.createConversation();
  await rows.playTurn(place);
  await rows.database.inWorkspace(place.workspaceId, async (trx) => {
    await insertReplayRun(trx, place.conversationId, 35);
    await insertReplayRun(trx, place.conversationId);
  });
  await rows.remove({ retentionDays: 30 });
  const left = { replays: 1, replay_cases: 1, replay_runs: 1 };
  expect(await rows.count(place, Object.keys(left))).toEqual(left);
});
