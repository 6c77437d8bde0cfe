import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deleteAgent } from '../../../src/modules/agents/delete-agent.ts';
import { createAuditChain } from '../../../src/platform/outbox/audit-chain.ts';
import { createToolCallRepository } from '../../../src/modules/turns/calls/tool-call-repository.ts';
import { createTriggerRepository } from '../../../src/modules/triggers/trigger-repository.ts';
import { createWebhookRepository } from '../../../src/modules/webhooks/webhook-repository.ts';
import { deleteConversation } from '../../../src/modules/turns/conversations/delete-conversation.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { openRemovalRows } from '../../labs/removal-rows.ts';
import {
  createAnswer,
  createToolCall,
  insertGrant,
  insertReplayRun,
  insertResource,
  insertRoutine,
  insertRoutineRun,
  insertTrigger,
  insertWebhook,
  type RowRef,
} from '../../labs/turn-rows.ts';

const rows = openForTests(openRemovalRows);

function deleteIt(place: RowRef): Promise<void> {
  const dependencies = {
    database: rows.database,
    notifier: { events: () => undefined, stop: () => undefined, steerNow: () => undefined },
  };
  return deleteConversation(dependencies, place, place.conversationId);
}

function eraseAgent({ workspaceId, agentId }: RowRef): Promise<void> {
  return deleteAgent({ database: rows.database }, { workspaceId }, { agentId, permanent: true });
}

function verify({ workspaceId }: RowRef) {
  return createAuditChain(rows.database.system).verify(workspaceId);
}

describe('a deleted conversation', () => {
  test('is removed with every row of its turns, and no row of another one', async () => {
    const place = await rows.createConversation();
    const other = await rows.createConversation({}, place.workspaceId);
    await rows.playTurn(other);
    const kept = await rows.count(place);
    await rows.playTurn(place);
    await rows.playTurn(place);
    await deleteIt(place);

    expect(await rows.remove()).toMatchObject({ turns: 2, conversations: 1, more: false });
    const left = await rows.count(place);
    expect(left).toEqual({ ...kept, conversations: 1 });
    expect(Object.keys(left)).toHaveLength(9);
    expect(rows.warnings).toEqual([]);
  });

  test('leaves an audit chain that is whole and tells of the deletion', async () => {
    const place = await rows.createConversation();
    await rows.playTurn(place);
    const before = await verify(place);
    await deleteIt(place);
    await rows.remove();

    expect(await verify(place)).toMatchObject({ events: before.events + 1, faults: [] });
    const where = { type: 'conversation.deleted', subject_id: place.conversationId };
    expect(await rows.database.system('audit_events').where(where)).toMatchObject([
      { payload: { agent_id: place.agentId } },
    ]);
  });

  test('takes the conversations of agents that it called with it, however deep', async () => {
    const place = await rows.createConversation();
    const { turnId } = await rows.playTurn(place);
    const child = await rows.createConversation({}, place.workspaceId);
    const { turnId: childId } = await rows.playTurn(child);
    const grandchild = await rows.createConversation({}, place.workspaceId);
    const { turnId: grandchildId } = await rows.playTurn(grandchild);
    const turns = rows.database.system('turns');
    await turns.clone().where({ id: childId }).update({ parent_turn_id: turnId });
    await turns.clone().where({ id: grandchildId }).update({ parent_turn_id: childId });
    await deleteIt(place);

    expect(await rows.remove()).toMatchObject({ turns: 3, conversations: 3 });
    expect(await rows.count(place)).toEqual({});
  });

  test('is not deleted while a turn runs or waits in it', async () => {
    const place = await rows.createConversation();
    const { turn } = await rows.submit(place);
    const refusal = { code: 'TURN_RUNNING', details: { turnId: turn.id } };
    await expect(deleteIt(place)).rejects.toMatchObject(refusal);
    await rows.submit(place, { onBusy: 'enqueue' });
    await rows.storeAnswer(place, createAnswer(turn.id, { outcome: 'completed' }));
    await expect(deleteIt(place)).rejects.toMatchObject({ code: 'TURN_RUNNING' });
    expect(await rows.remove()).toMatchObject({ turns: 0, conversations: 0 });
  });

  test('takes no turn that is submitted at the same moment, or is not deleted', async () => {
    const places = await Promise.all(Array.from({ length: 20 }, () => rows.createConversation()));
    await Promise.all(
      places.map(async (place) => {
        const [submitted, deleted] = await Promise.allSettled([rows.submit(place), deleteIt(place)]);
        expect([submitted.status, deleted.status].filter((status) => status === 'fulfilled')).toHaveLength(1);
      }),
    );
  });

  test('of many turns is removed in transactions that are short', async () => {
    const place = await rows.createConversation();
    for (let turn = 0; turn < 120; turn += 1) await rows.playTurn(place);
    await rows.remove();
    await deleteIt(place);
    let questions = 0;
    expect(await rows.remove({}, () => ++questions <= 4)).toMatchObject({ conversations: 0, more: true });
    const { turns = 0 } = await rows.count(place);
    expect(turns).toBeGreaterThan(0);
    expect(turns).toBeLessThan(120);
    expect(await rows.remove()).toMatchObject({ turns, conversations: 1 });
  });
});

test('removal goes on beside a transaction that holds a turn of another conversation', async () => {
  const place = await rows.createConversation();
  await rows.playTurn(place);
  const busy = await rows.createConversation({}, place.workspaceId);
  const { turn } = await rows.submit(busy);
  const call = createToolCall(0);
  await rows.storeAnswer(busy, createAnswer(turn.id, { toolCalls: [call] }));
  await deleteIt(place);
  await rows.database.transact(place.workspaceId, async (query) => {
    await createToolCallRepository(query).claim({ turnId: turn.id, iteration: 1, index: 0 });
    expect(await rows.remove()).toMatchObject({ turns: 1, conversations: 1 });
  });
});

test('a conversation that cannot be removed is logged, and the others are removed', async () => {
  const stuck = await rows.createConversation();
  await rows.playTurn(stuck);
  const other = await rows.createConversation();
  await rows.playTurn(other);
  await Promise.all([deleteIt(stuck), deleteIt(other)]);
  const owner = new pg.Client(rows.url);
  await owner.connect();
  onTestFinished(() => owner.end());
  await owner.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`,
  );
  await owner.query(`CREATE TRIGGER refuse BEFORE DELETE ON conversations FOR EACH ROW
    WHEN (OLD.id = '${stuck.conversationId}') EXECUTE FUNCTION refuse()`);
  await rows.remove();
  expect(await rows.count(other)).toEqual({});
  expect(rows.warnings).toMatchObject([{ fields: { id: stuck.conversationId } }]);
  rows.warnings.length = 0;
  await owner.query('DROP TRIGGER refuse ON conversations');
  expect(await rows.remove()).toMatchObject({ conversations: 1 });
});

describe('an agent that is deleted for good', () => {
  const agentTables = [
    ...['agents', 'agent_versions', 'tool_call_counts', 'tool_pins', 'agent_connectors'],
    'approval_grants',
  ];

  async function fillAgent(place: RowRef): Promise<void> {
    await rows.database.inWorkspace(place.workspaceId, async (trx) => {
      const { agentId: agent_id } = place;
      const [connectionId, connectorId] = [newId(), newId()];
      await trx('connections').insert({ id: connectionId, name: agent_id, provider: 'mcp', auth: {} });
      const connector = { id: connectorId, name: agent_id, type: 'mcp', connection_id: connectionId };
      await trx('connectors').insert(connector);
      await trx('agent_connectors').insert({ agent_id, connector_id: connectorId });
      await trx('tool_pins').insert({ agent_id, tool_id: newId(), hash: 'x', definition: {} });
      await trx('tool_call_counts').insert({ agent_id, tool: 'search', day: '2026-01-01', calls: 1 });
      await insertGrant(trx, { scope: 'agent', scope_id: agent_id });
    });
  }

  test('is removed with its versions, conversations and counts', async () => {
    const place = await rows.createConversation();
    await fillAgent(place);
    await rows.playTurn(place);
    const other = await rows.createConversation({}, place.workspaceId);
    await fillAgent(other);
    await rows.playTurn(other);
    await eraseAgent(place);

    expect(await rows.remove()).toMatchObject({ turns: 1, conversations: 1, agents: 1 });
    const left = await rows.count(place, ['conversations', 'turns', ...agentTables]);
    expect(left).toEqual(
      Object.fromEntries(['conversations', 'turns', ...agentTables].map((table) => [table, 1])),
    );
    expect((await verify(place)).faults).toEqual([]);
    await expect(eraseAgent(place)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('may have been deleted before', async () => {
    const place = await rows.createConversation();
    const { workspaceId, agentId } = place;
    await deleteAgent({ database: rows.database }, { workspaceId }, { agentId, permanent: false });
    await eraseAgent(place);
    expect(await rows.remove()).toMatchObject({ agents: 1 });
  });

  test('has no turn that runs', async () => {
    const place = await rows.createConversation();
    const { turn } = await rows.submit(place);
    await expect(eraseAgent(place)).rejects.toMatchObject({
      code: 'TURN_RUNNING',
      details: { turnId: turn.id },
    });
  });
});

test('a deleted webhook is removed with its deliveries, and no other one', async () => {
  const place = await rows.createConversation();
  await rows.database.inWorkspace(place.workspaceId, async (trx) => {
    await insertWebhook(trx);
    const id = await insertWebhook(trx);
    await createWebhookRepository(trx).deleteWebhook(id);
  });
  await rows.remove();
  expect(await rows.count(place, ['webhooks', 'webhook_deliveries'])).toEqual({
    webhooks: 1,
    webhook_deliveries: 1,
  });
});

test('a deleted trigger is removed with its deliveries, and no other one', async () => {
  const place = await rows.createConversation();
  await rows.database.inWorkspace(place.workspaceId, async (trx) => {
    await insertTrigger(trx);
    await createTriggerRepository(trx).deleteTrigger(await insertTrigger(trx));
  });
  await rows.remove();
  expect(await rows.count(place, ['triggers', 'trigger_deliveries'])).toEqual({
    triggers: 1,
    trigger_deliveries: 1,
  });
});

test('the runs of a replay are removed with the turns that they repeat', async () => {
  const place = await rows.createConversation();
  await rows.playTurn(place);
  await rows.database.inWorkspace(place.workspaceId, (trx) => insertReplayRun(trx, place.conversationId));
  await deleteIt(place);
  await rows.remove();
  const tables = ['turns', 'replays', 'replay_cases', 'replay_runs'];
  expect(await rows.count(place, tables)).toEqual({ replays: 1, replay_cases: 1 });
});

describe('resources', () => {
  test('are removed with their versions 30 days after they were deleted, and memories after their time', async () => {
    const place = await rows.createConversation();
    const kept = await rows.database.inWorkspace(place.workspaceId, async (trx) => {
      const ago = (days: number) => trx.raw('now() - make_interval(days => ?)', [days]);
      await insertResource(trx, { deleted_at: ago(31) });
      await insertResource(trx, { scope: 'workspace', expires_at: ago(0) });
      return [
        await insertResource(trx, { deleted_at: ago(29) }),
        await insertResource(trx, { scope: 'workspace', expires_at: ago(-1) }),
        await insertResource(trx),
      ];
    });
    await rows.remove();
    const where = { workspace_id: place.workspaceId };
    expect((await rows.database.system('resources').where(where).pluck('id')).sort()).toEqual(kept.sort());
    expect(await rows.database.system('resource_versions').where(where).pluck('version')).toEqual([1, 1, 1]);
  });

  test('that an agent remembers are removed with the agent', async () => {
    const place = await rows.createConversation();
    const scopes = [`agent:${place.agentId}`, `agent:${newId()}`, 'workspace'];
    await rows.database.inWorkspace(place.workspaceId, async (trx) => {
      for (const scope of scopes) await insertResource(trx, { scope });
    });
    await eraseAgent(place);
    await rows.remove();
    const where = { workspace_id: place.workspaceId };
    expect(await rows.database.system('resources').where(where).orderBy('id').pluck('scope')).toEqual(
      scopes.slice(1),
    );
  });
});

test('routines are removed with their versions 30 days after they were deleted, unless they have runs', async () => {
  const place = await rows.createConversation();
  const runId = await rows.database.inWorkspace(place.workspaceId, async (trx) => {
    const ago = (days: number) => trx.raw('now() - make_interval(days => ?)', [days]);
    const run = await insertRoutineRun(trx, place);
    await trx('routines').update({ deleted_at: ago(31) });
    for (let index = 0; index < 12; index += 1) await insertRoutine(trx, place, { deleted_at: ago(31) });
    await insertRoutine(trx, place, { deleted_at: ago(29) });
    await insertRoutine(trx, place);
    return run;
  });
  await rows.remove();
  const tables = ['routines', 'routine_versions'];
  expect(await rows.count(place, tables)).toEqual({ routines: 3, routine_versions: 3 });

  await rows.database.system('routine_steps').where({ run_id: runId }).delete();
  await rows.database.system('routine_runs').where({ id: runId }).delete();
  await rows.remove();
  expect(await rows.count(place, tables)).toEqual({ routines: 2, routine_versions: 2 });
  expect(rows.warnings).toEqual([]);
});
