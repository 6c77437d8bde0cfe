import type { Knex } from 'knex';
import { createAgentRepository } from '../../src/modules/agents/agent-repository.ts';
import { createConversationRepository } from '../../src/modules/turns/conversations/conversation-repository.ts';
import { storeNewTurn, type StoredTurn } from '../../src/modules/turns/store-turn.ts';
import {
  createTurnAnswerRepository,
  type NewAnswer,
  type NewToolCall,
} from '../../src/modules/turns/turn-answer-repository.ts';
import { connectDatabase, type Database } from '../../src/platform/database/connect-database.ts';
import type { TurnLimits } from '../../src/domain/limits.ts';
import type { TurnInput } from '../../src/domain/turn.ts';
import type { ToolEffect } from '../../src/domain/tool.ts';
import { webhookEvents, type DeliveryStatus, type WebhookEvent } from '../../src/domain/webhook.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';

/** The usage of a model call without tokens. */
export const noUsage = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

/** A database with workspaces, for tests of the stored data of turns. */
export interface TurnRows {
  url: string;
  database: Database;
  /** A workspace with an agent and a conversation. */
  createConversation: (limits?: Partial<TurnLimits>, workspaceId?: string) => Promise<RowRef>;
  submit: (place: RowRef, submission?: Partial<SubmissionParts>) => Promise<StoredTurn>;
  storeAnswer: (place: RowRef, answer: NewAnswer) => Promise<boolean>;
  close: () => Promise<void>;
}

/** The parts of a submission that a test may set. */
export interface SubmissionParts {
  turnId: string;
  requestHash: string;
  message: string;
  onBusy: TurnInput['onBusy'];
}

/** The workspace, agent and conversation of a test's turns. */
export interface RowRef {
  workspaceId: string;
  agentId: string;
  conversationId: string;
}

/** Creates and opens a new database, or opens the given one; usually once a test file, in `beforeAll`. */
export async function openTurnRows(given?: TestDatabase): Promise<TurnRows> {
  const testDatabase = given ?? (await createTestDatabase());
  const database = connectDatabase({ url: testDatabase.url, poolSize: 30 });
  return {
    url: testDatabase.url,
    database,
    createConversation: (limits = {}, workspaceId = newId()) =>
      createConversation(database, workspaceId, limits),
    submit: ({ workspaceId, conversationId }, parts = {}) => {
      const { turnId = newId(), requestHash = 'hash', message = 'Hello', onBusy = 'reject' } = parts;
      const input = { message, onBusy };
      return storeNewTurn(database, workspaceId, { turnId, requestHash, conversationId, input });
    },
    storeAnswer: async ({ workspaceId }, answer) => {
      const state = await database.transact(workspaceId, (query) =>
        createTurnAnswerRepository(query).storeAnswer(answer),
      );
      return state !== null;
    },
    close: async () => {
      await database.close();
      await testDatabase.drop();
    },
  };
}

async function createConversation(
  database: Database,
  workspaceId: string,
  limits: Partial<TurnLimits>,
): Promise<RowRef> {
  await database.system('workspaces').insert({ id: workspaceId, name: 'Rows' }).onConflict('id').ignore();
  return database.inWorkspace(workspaceId, async (trx) => {
    const agent = await createAgentRepository(trx).createAgent({
      name: 'Agent',
      model: 'demo',
      instructions: '',
      tools: [],
      limits,
      execution: 'inspectable',
    });
    const { id } = await createConversationRepository(trx).createConversation({ agentId: agent.id });
    return { workspaceId, agentId: agent.id, conversationId: id };
  });
}

/** The answer of a model to one iteration of a turn; with `outcome` it ends the turn. */
export function createAnswer(turnId: string, parts: Partial<NewAnswer> = {}): NewAnswer {
  const answer: NewAnswer = {
    turnId,
    iteration: 1,
    model: 'demo',
    answeredBy: 'demo',
    text: 'Answer',
    finishReason: 'stop',
    providerContent: null,
    reasoning: null,
    usage: { ...noUsage, inputTokens: 3, outputTokens: 2 },
    credits: 0n,
    toolCalls: [],
    record: { toolChoice: 'auto', leftOut: null, sampling: null, contextFrom: null },
    time: { startedAt: '2026-01-01T00:00:00.000Z', durationMs: 1200 },
    learned: {},
    events: [],
    ...{ steered: 0, heldBy: null },
    yields: false,
    outcome: null,
    messageId: newId(),
    ...parts,
  };
  const { messageId, iteration, text, usage } = answer;
  answer.events = [
    { type: 'message.created', payload: { messageId, iteration, text, model: 'demo', usage, toolCalls: [] } },
  ];
  return answer;
}

/** A tool call as a model's answer asks for it. */
export function createToolCall(index: number, effect: ToolEffect = 'unsafe'): NewToolCall {
  return {
    id: newId(),
    index,
    key: newId(),
    modelCallId: `call_${index}`,
    name: `tool_${index}`,
    tool: null,
    effect,
    arguments: { index },
    invalidArguments: null,
    argumentsHash: 'hash',
    connector: null,
    target: null,
    refusal: null,
  };
}

/** Lets the first tool call of a workspace, or the one that is named, wait for an approval. Returns the id of the action. */
export async function insertPendingAction(
  trx: Knex,
  { toolCallId, ...parts }: { toolCallId?: string; kind?: string; question?: string } = {},
): Promise<string> {
  const call = await trx('tool_calls')
    .where(toolCallId === undefined ? {} : { id: toolCallId })
    .first<{ id: string; turn_id: string; conversation_id: string; arguments: object }>();
  const id = newId();
  await trx('pending_actions').insert({
    ...{ id, kind: 'approval', tool: 'search', arguments: call.arguments, hash: 'x' },
    ...{ tool_call_id: call.id, turn_id: call.turn_id, root_turn_id: call.turn_id },
    ...{ conversation_id: call.conversation_id, remind_at: new Date(), expires_at: new Date(), ...parts },
  });
  return id;
}

/** Remembers an approval for a whole workspace. */
export async function insertGrant(trx: Knex, parts: object = {}): Promise<void> {
  await trx('approval_grants').insert({
    ...{
      id: newId(),
      action_id: newId(),
      scope: 'workspace',
      scope_id: newId(),
      tool: 'search',
      tool_hash: 'x',
    },
    ...{ pins: {}, until: new Date(), created_by: { apiKeyId: null, actingFor: null }, ...parts },
  });
}

/** Adds a webhook that is by default subscribed to every event, with a delivery that was stored `daysAgo` days ago. */
export async function insertWebhook(
  trx: Knex,
  { events = [...webhookEvents], daysAgo = 0, status = 'delivered' }: Partial<WebhookParts> = {},
): Promise<string> {
  const id = newId();
  await trx('webhooks').insert({
    id,
    url: 'http://127.0.0.1:1',
    events,
    sealed: Buffer.from('x'),
    key_id: 'key',
  });
  const delivery = { webhook_id: id, type: 'turn.settled', data: {}, status };
  const createdAt = trx.raw(`now() - make_interval(days => ?)`, [daysAgo]);
  await trx('webhook_deliveries').insert({ ...delivery, created_at: createdAt });
  return id;
}

/** Adds a message of an agent to a person, one to a topic, and the rows that say that they were sent. */
export async function insertMessages(trx: Knex, daysAgo = 0): Promise<void> {
  const [agentId, turnId, swarmId] = [newId(), newId(), newId()];
  const sender = { agentId, agentName: 'Agent', turnId, conversationId: newId() };
  const created_at = trx.raw(`now() - make_interval(days => ?)`, [daysAgo]);
  const chain = { agent_id: agentId, sender_turn_id: turnId, origin_turn_id: turnId, depth: 1 };
  await trx('sent_messages').insert({ id: newId(), ...chain, recipient: {}, created_at });
  await trx('inbox_messages').insert({ id: newId(), person: 'ann', text: 'x', sender, created_at });
  await trx('topic_messages').insert({
    id: newId(),
    swarm_id: swarmId,
    topic: 'x',
    text: 'x',
    sender,
    created_at,
  });
}

/** Adds a resource with one version. `scope` makes it a memory. */
export async function insertResource(
  trx: Knex,
  row: { scope?: string; deleted_at?: unknown; expires_at?: unknown } = {},
): Promise<string> {
  const id = newId();
  const owner = { type: 'key', person: null, apiKeyId: newId(), agentId: null, turnId: null };
  await trx('resources').insert({ id, kind: 'note', name: 'Note', owner, search: '', ...row });
  await trx('resource_versions').insert({ resource_id: id, version: 1, attributes: {}, made_by: owner });
  return id;
}

/** Adds a schedule that has run once. */
export async function insertSchedule(trx: Knex): Promise<string> {
  const id = newId();
  const parts = {
    name: 'Report',
    times: { cron: '@daily' },
    time_zone: 'UTC',
    overlap: 'skip',
    catch_up_ms: 1,
  };
  await trx('schedules').insert({ id, ...parts, action: {}, created_by: {} });
  await trx('schedule_runs').insert({ id: newId(), schedule_id: id, scheduled_at: new Date() });
  return id;
}

/** Adds a trigger with one delivery, which came so many days ago. */
export async function insertTrigger(trx: Knex, daysAgo = 0, delivery: object = {}): Promise<string> {
  const id = newId();
  const parts = { name: 'Triage', provider: 'github', events: ['*'], include_bots: false, paused: false };
  await trx('triggers').insert({ id, ...parts, action: {}, max_per_minute: 1, created_by: {} });
  await trx('trigger_deliveries').insert({
    ...{ id: newId(), trigger_id: id, delivery_key: 'id:1', status: 'started', payload: {} },
    received_at: trx.raw('now() - make_interval(days => ?)', [daysAgo]),
    ...delivery,
  });
  return id;
}

/** Notes that a workflow is stuck. */
export async function insertStuckWorkflow(trx: Knex): Promise<void> {
  await trx('stuck_workflows').insert({
    workflow_id: `turn-${newId()}`,
    kind: 'turn',
    cause: 'It throws.',
    since: trx.fn.now(),
  });
}

/** Adds a provider that the workspace has imported. */
export async function insertImportedProvider(trx: Knex): Promise<void> {
  await trx('imported_providers').insert({
    ...{ id: newId(), name: 'pets', version: 1, title: 'Pets', description: 'Pets', category: 'other' },
    ...{ auth_types: ['none'], operation_names: [], definition: '{}', created_by: {} },
  });
}

/** Adds a replay with one run of one case, of all turns of a conversation, which ended so many days ago. */
export async function insertReplayRun(trx: Knex, conversationId: string, daysAgo = 0): Promise<string> {
  const id = newId();
  const endedAt = trx.raw(`now() - make_interval(days => ?)`, [daysAgo]);
  await trx('replays').insert({ id, name: 'Replay', status: 'completed', input: {}, settled_at: endedAt });
  const turns = await trx('turns').where({ conversation_id: conversationId }).pluck('id');
  const place = { replay_id: id, position: 0, conversation_id: conversationId };
  await trx('replay_cases').insert({ ...place, turn_ids: turns });
  await trx('replay_runs').insert({
    ...{ ...place, lane: 'candidate', repeat: 1, run: '{"turns":[]}' },
    ...{ connections_opened: 0, credentials_decrypted: 0 },
  });
  return id;
}

/** Adds a routine with one version that does nothing. */
export async function insertRoutine(
  trx: Knex,
  { agentId: agent_id }: { agentId: string },
  row: { deleted_at?: unknown } = {},
): Promise<string> {
  const id = newId();
  await trx('routines').insert({ id, agent_id, namespace: 'test', name: id, ...row });
  await trx('routine_versions').insert({ routine_id: id, version: 1, agent_id, document: {} });
  return id;
}

/** Adds a routine with a run that ended so many days ago, a step of it and an event. */
export async function insertRoutineRun(
  trx: Knex,
  place: { agentId: string; conversationId: string },
  daysAgo = 0,
): Promise<string> {
  const id = await insertRoutine(trx, { agentId: place.agentId });
  const runId = newId();
  const endedAt = trx.raw(`now() - make_interval(days => ?)`, [daysAgo]);
  const agent = { agent_id: place.agentId };
  await trx('routine_runs').insert({
    ...{ id: runId, routine_id: id, version: 1, ...agent, conversation_id: place.conversationId },
    ...{ request_hash: 'x', status: 'completed', settled_at: endedAt },
  });
  await trx('routine_steps').insert({ run_id: runId, number: 1, step: {} });
  await trx('routine_events').insert({ id: newId(), event: {} });
  return runId;
}

/** A swarm with a row in each of its tables, which has ended so many days ago. */
export async function insertSwarm(trx: Knex, daysAgo = 0): Promise<string> {
  const id = newId();
  const at = trx.raw(`now() - make_interval(days => ?)`, [daysAgo]);
  const swarm = { id, kind: 'rich', goal: 'Goal', limits: {}, status: 'completed', request_hash: 'hash' };
  await trx('swarms').insert({ ...swarm, deadline_at: at, settled_at: at });
  const subtask = { swarm_id: id, id: 'a', position: 0, description: 'Work', assignee: newId() };
  const state = { depends_on: [], priority: 'medium', status: 'done', created_at: at };
  await trx('swarm_subtasks').insert({ ...subtask, ...state });
  await trx('swarm_blackboard').insert({ swarm_id: id, id: 'note', value: '1' });
  await trx('swarm_updates').insert({ swarm_id: id, key: 'key' });
  const turn = { turn_id: newId(), conversation_id: newId(), step: 'run:1' };
  await trx('swarm_turns').insert({ ...turn, swarm_id: id });
  return id;
}

interface WebhookParts {
  events: WebhookEvent[];
  daysAgo: number;
  status: DeliveryStatus;
}
