import type { Knex } from 'knex';
import { createTurnAnswerRepository } from '../../src/modules/turns/turn-answer-repository.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import type { Api, ApiAnswer } from './api-lab.ts';
import { insertFile } from './file-rows.ts';
import { toDocument } from './routine-scene.ts';
import { insertSkill } from './skill-rows.ts';
import { insertKnowledge, insertTools } from './tool-rows.ts';
import {
  createAnswer,
  createToolCall,
  insertGrant,
  insertImportedProvider,
  insertMessages,
  insertPendingAction,
  insertReplayRun,
  insertWebhook,
} from './turn-rows.ts';

/**
 * Everything that a route may name by an id, by the path that names it, and to whom it belongs: `conversation` to the person
 * of its conversation, `person` to the person for whom it was made, `workspace` to everybody with the scope.
 */
export const thingOwners = {
  agents: 'workspace',
  'agents/connectors': 'workspace',
  'agents/tools': 'workspace',
  'agents/versions': 'workspace',
  'api-keys': 'workspace',
  // Those of a conversation; whoever decides sees all of them.
  'approval-grants': 'workspace',
  blobs: 'conversation',
  budgets: 'workspace',
  connections: 'workspace',
  connectors: 'workspace',
  conversations: 'conversation',
  files: 'person',
  inbox: 'person',
  'knowledge-bases': 'workspace',
  'knowledge-bases/documents': 'workspace',
  memories: 'person',
  messages: 'conversation',
  'pending-actions': 'conversation',
  people: 'workspace',
  providers: 'workspace',
  // Its cases are those of people.
  replays: 'workspace',
  resources: 'workspace',
  routines: 'workspace',
  'routine-runs': 'conversation',
  schedules: 'person',
  skills: 'workspace',
  swarms: 'person',
  teams: 'workspace',
  triggers: 'person',
  'triggers/deliveries': 'person',
  turns: 'conversation',
  'turns/tool-calls': 'conversation',
  'user-tokens': 'workspace',
  webhooks: 'workspace',
  'webhooks/deliveries': 'workspace',
} as const satisfies Record<string, 'conversation' | 'person' | 'workspace'>;
export type ThingKind = keyof typeof thingOwners;

/** The ids of one thing of each kind. */
export type Things = Record<ThingKind, string>;

/** The person or the program to whom things belong, and the text that is in all of them. */
export interface ThingOwner {
  workspaceId: string;
  /** A key with all scopes; with `person` it acts for this one. */
  key: string;
  person: string | null;
  /** A key with all scopes that acts for nobody. */
  workspaceKey: string;
  marker: string;
}

/** Makes one thing of each kind: by requests where one makes it, and otherwise by rows. */
export async function createThings(api: Api, owner: ThingOwner): Promise<Things> {
  const call = createCaller(api, owner.key);
  const shared = await createShared(createCaller(api, owner.workspaceKey), owner);
  const { marker } = owner;
  const { agents } = shared;
  const conversation = await call('conversation', '/api/conversations', { agentId: agents, title: marker });
  const say = () => call('turn', `/api/conversations/${conversation.id}/turns`, { message: marker });
  const turn = await say();
  const toolCall = await answer(api, owner, turn.id);
  const next = await say();
  const work = { kind: 'rich', goal: marker, subtasks: [{ id: 'a', description: marker, assignee: agents }] };
  const task = { kind: 'turn', agentId: agents, message: marker };
  const times = { interval: { everyMs: 3_600_000 } };
  const memory = { scope: 'user', person: owner.person ?? 'somebody', content: marker };
  const run = { agentId: agents, input: marker };
  const trigger = { name: marker, provider: 'github', events: ['*'], action: task };
  const made = {
    conversations: conversation.id,
    ...{ turns: turn.id, 'turns/tool-calls': toolCall, messages: String(next.messageId) },
    swarms: (await call('swarm', '/api/swarms', work)).id,
    schedules: (await call('schedule', '/api/schedules', { name: marker, times, action: task })).id,
    triggers: (await call('trigger', '/api/triggers', trigger)).id,
    memories: (await call('resource', '/api/resources', { kind: 'memory', attributes: memory })).id,
    'routine-runs': (await call('run', `/api/routines/${shared.routines}/runs`, run)).id,
  };
  const files = await upload(api, owner);
  return api.database.inWorkspace(owner.workspaceId, async (trx) => {
    const rows = { ...(await insertRows(trx, owner, made)), ...(await insertOfWorkspace(trx, agents)) };
    return { ...shared, ...made, ...rows, files };
  });
}

/** Does the work of a worker: a model answers a turn with a tool call, and again. Returns the id of the call. */
async function answer(api: Api, { workspaceId, marker }: ThingOwner, turnId: string): Promise<string> {
  const call = { ...createToolCall(0), arguments: { marker } };
  const [first, last] = [{ toolCalls: [call] }, { iteration: 2, outcome: 'completed' as const }];
  for (const step of [first, last])
    await api.database.transact(workspaceId, (query) =>
      createTurnAnswerRepository(query).storeAnswer(createAnswer(turnId, { text: marker, ...step })),
    );
  const ended = {
    status: 'succeeded',
    attempts: 1,
    result: marker,
    started_at: new Date(),
    ended_at: new Date(),
  };
  await api.database.system('tool_calls').where({ id: call.id }).update(ended);
  return call.id;
}

/** Uploads a file whose bytes and name are the marker. */
async function upload(api: Api, { key, marker }: ThingOwner): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([marker]), marker);
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${api.url}/api/files`, { method: 'POST', headers, body: form });
  const { data } = (await response.json()) as { data: { file: { id: string } } };
  return data.file.id;
}

type Caller = (field: string, path: string, body: object) => Promise<{ id: string; messageId?: unknown }>;

/** Creates the function that sends a request and returns the thing in a field of its answer. */
function createCaller(api: Api, key: string): Caller {
  return async (field, path, body) => {
    const answer: ApiAnswer = await api.call('POST', path, { key, body });
    const found = (answer.data as unknown as Record<string, { id: string }> | undefined)?.[field];
    if (found === undefined) throw new Error(`${path} made no ${field}: ${JSON.stringify(answer.error)}`);
    return found;
  };
}

/** Makes what belongs to the workspace. */
async function createShared(call: Caller, { person }: ThingOwner) {
  const agent = await call('agent', '/api/agents', { name: 'Agent', model: 'demo', instructions: 'Help.' });
  const tool = { type: 'function', name: 'calculate', description: '', schema: { type: 'object' } };
  const config = { config: { functionName: 'calculate' } };
  const document = toDocument(`r-${newId()}`, '  - rest: { wait: { hours: 1 } }');
  const team = { name: 'Team', members: [{ agentId: agent.id }] };
  const add = (kind: string, attributes: object) => call('resource', '/api/resources', { kind, attributes });
  const budget = { scope: 'agent', subject: agent.id, period: 'day', credits: 1_000_000_000 };
  return {
    agents: agent.id,
    'agents/tools': (await call('tool', `/api/agents/${agent.id}/tools`, { ...tool, ...config })).id,
    routines: (await call('routine', '/api/routines', { document })).id,
    resources: (await add('note', { name: 'Note', content: 'x' })).id,
    teams: (await add('team', team)).id,
    budgets: (await call('budget', '/api/budgets', budget)).id,
    'api-keys': (await call('apiKey', '/api/api-keys', { name: 'Key', scopes: ['agents:read'] })).id,
    'user-tokens': (await call('userToken', '/api/user-tokens', { person: person ?? 'somebody' })).id,
  };
}

/** Stores what no request makes without a vendor, a model or a worker. */
async function insertRows(
  trx: Knex,
  { person, marker }: ThingOwner,
  known: Pick<Things, 'conversations' | 'turns' | 'turns/tool-calls' | 'triggers'>,
) {
  const { conversations, turns, 'turns/tool-calls': toolCallId, triggers } = known;
  const delivery = { id: newId(), trigger_id: triggers, delivery_key: 'id:1', status: 'failed' };
  await trx('trigger_deliveries').insert({ ...delivery, payload: { marker } });
  const question = await insertPendingAction(trx, { toolCallId, kind: 'question', question: marker });
  await insertGrant(trx, { action_id: question, scope: 'conversation', scope_id: conversations });
  const [blobs, replays] = [await insertFile(trx, turns), await insertReplayRun(trx, conversations)];
  await trx('replay_runs')
    .where({ replay_id: replays })
    .update({ run: JSON.stringify({ turns: [], marker }) });
  await insertMessages(trx);
  const inbox = await findNewest(trx, 'inbox_messages');
  await trx('inbox_messages')
    .where({ id: inbox })
    .update({ person: person ?? 'somebody', text: marker });
  return {
    ...{ blobs, replays, inbox, 'triggers/deliveries': delivery.id },
    'pending-actions': question,
    'approval-grants': await findNewest(trx, 'approval_grants'),
  };
}

/** Stores what belongs to the workspace and no request makes. */
async function insertOfWorkspace(trx: Knex, agentId: string) {
  const name = `pets_${newId().slice(-12)}`;
  await insertTools(trx, { agentId }, name);
  await insertKnowledge(trx, name);
  await insertSkill(trx);
  await insertImportedProvider(trx);
  const webhooks = await insertWebhook(trx);
  await trx('imported_providers').where({ name: 'pets' }).update({ name });
  const identity = { kind: 'person', issuer: 'https://id.example.com', subject: newId(), acts_for: 'Carl' };
  const people = newId();
  await trx('api_keys').insert({
    id: people,
    name: 'Carl',
    ...identity,
    secret_hash: Buffer.alloc(0),
    scopes: [],
  });
  const connectors = await findNewest(trx, 'connectors');
  return {
    ...{ people, webhooks, connectors, providers: name },
    'agents/connectors': connectors,
    'agents/versions': await findNewest(trx, 'agent_versions'),
    connections: await findNewest(trx, 'connections'),
    'knowledge-bases': await findNewest(trx, 'knowledge_bases'),
    'knowledge-bases/documents': await findNewest(trx, 'documents'),
    skills: await findNewest(trx, 'skills'),
    'webhooks/deliveries': await findNewest(trx, 'webhook_deliveries'),
  };
}

/** Returns the id of the row that was inserted last. */
async function findNewest(trx: Knex, table: string): Promise<string> {
  const row = await trx(table).orderBy('id', 'desc').first<{ id: string }>('id');
  return row.id;
}
