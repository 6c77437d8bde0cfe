import { toFileColumns } from './large-files.ts';
import { toRecordedRows } from './large-recorded.ts';
import { toRoutineColumns } from './large-routines.ts';
import { toTriggerColumns } from './large-triggers.ts';

/** How many rows each of `largeTables` has. */
export const rowCount = 200_000;

const kinds = [
  'workspace',
  'agent',
  'version',
  'conversation',
  'turn',
  'message',
  'usage',
  'toolCall',
  'pinnedTool',
  'connection',
  'connector',
  'apiKey',
  'webhook',
  'delivery',
  'action',
  'grant',
  'replay',
  'routine',
  'run',
  'event',
  'swarm',
  'trigger',
  'triggerDelivery',
  'file',
  'compaction',
] as const;

/** The id of row number `n`, counted from 1. Ids of one kind grow with their numbers, as those of Holdfast do. */
export function toRowId(kind: (typeof kinds)[number], n: number): string {
  return `${hex(kinds.indexOf(kind), 8)}-0000-7000-8000-${hex(n, 12)}`;
}

function hex(n: number, digits: number): string {
  return n.toString(16).padStart(digits, '0');
}

function sqlId(kind: (typeof kinds)[number], number: string): string {
  return `('${hex(kinds.indexOf(kind), 8)}-0000-7000-8000-' || lpad(to_hex((${number})::bigint), 12, '0'))::uuid`;
}

/** The workspace of all rows, so that the condition of row-level security filters none of them. */
export const largeWorkspace = toRowId('workspace', 1);

/** A conversation of ten turns, the last of which runs its second iteration. */
export const runningConversation = {
  agentId: toRowId('agent', 5000),
  agentVersionId: toRowId('version', 5000),
  conversationId: toRowId('conversation', 5000),
  turnId: toRowId('turn', 50_000),
  toolCallId: toRowId('toolCall', 100_000),
};

/** How many actions wait in all: two of one turn in a thousand. */
export const openActionCount = rowCount / 1000;

/** A conversation of ten turns, the last of which waits for two approvals. */
export const waitingConversation = {
  agentId: toRowId('agent', 50),
  conversationId: toRowId('conversation', 50),
  turnId: toRowId('turn', 500),
  toolCallId: toRowId('toolCall', 1000),
  actionId: toRowId('action', 1000),
};

/** A conversation of ten turns, none of which runs. */
export const idleConversation = {
  conversationId: toRowId('conversation', 5001),
  turnId: toRowId('turn', 50_010),
};

const turn = '(n + 1) / 2';
const isRunning = (turnNumber: string) => `(${turnNumber}) % 1000 = 0`;
const isWaiting = (turnNumber: string) => `(${turnNumber}) % 1000 = 500`;
const conversationOf = (turnNumber: string) => sqlId('conversation', `((${turnNumber}) - 1) / 10 + 1`);
const ordinalOf = (turnNumber: string) => `((${turnNumber}) - 1) % 10 + 1`;

/** The time of a turn's entry and events: one turn a minute. */
const timeOf = (turnNumber: string) => `now() - (${rowCount} - (${turnNumber})) * interval '1 minute'`;

const minuteOf = (turnNumber: number) =>
  new Date(Date.now() - (rowCount - turnNumber) * 60_000).toISOString();

/** An hour with sixty turns; in three of them a model was passed over. */
export const largeHour = { from: minuteOf(40_000), to: minuteOf(40_060) };

const swarmOf = sqlId('swarm', '(n - 1) / 10 + 1');

/** The columns of row number `n` of each table, without the workspace. */
export const largeColumns: Record<string, Record<string, string>> = {
  agents: { id: sqlId('agent', 'n') },
  agent_versions: {
    id: sqlId('version', 'n'),
    agent_id: sqlId('agent', 'n'),
    version: '1',
    name: `'Agent'`,
    model: `'demo'`,
    instructions: `'Answer.'`,
    available_tools: `'[]'`,
    tool_bytes: '2',
    limits: `'{}'`,
    execution: `'inspectable'`,
  },
  conversations: {
    id: sqlId('conversation', 'n'),
    agent_id: sqlId('agent', 'n'),
    last_event_seq: '40',
    last_turn_ordinal: '10',
    characters: '1000',
  },
  turns: {
    id: sqlId('turn', 'n'),
    conversation_id: conversationOf('n'),
    agent_id: sqlId('agent', '(n - 1) / 10 + 1'),
    agent_version_id: sqlId('version', '(n - 1) / 10 + 1'),
    ordinal: ordinalOf('n'),
    characters_before: `100 * ((n - 1) % 10)`,
    request_hash: `'hash'`,
    status: `CASE WHEN ${isRunning('n')} THEN 'running' WHEN ${isWaiting('n')} THEN 'waiting_for_approval'
      WHEN n % 500 = 3 THEN 'failed' ELSE 'completed' END`,
    iterations: '1',
    timeout_ms: '120000',
    started_at: 'now()',
    deadline_at: `now() + interval '2 minutes'`,
    settled_at: `CASE WHEN ${isRunning('n')} OR ${isWaiting('n')} THEN NULL ELSE now() END`,
    created_at: timeOf('n'),
    started_by: `CASE WHEN n % 10 = 7 THEN jsonb_build_object('apiKeyId', NULL, 'actingFor', 'Person ' || n / 1000) END`,
  },
  messages: {
    id: sqlId('message', 'n'),
    conversation_id: conversationOf(turn),
    turn_id: sqlId('turn', turn),
    turn_ordinal: ordinalOf(turn),
    iteration: '(n - 1) % 2',
    role: `CASE n % 2 WHEN 1 THEN 'user' ELSE 'assistant' END`,
    text: `'Some words'`,
    finish_reason: `CASE n % 2 WHEN 0 THEN 'stop' END`,
    parts: `CASE n % 2 WHEN 1 THEN jsonb_build_array(jsonb_build_object('type', 'file', 'fileId', ${sqlId('file', 'n + 1')})) END`,
  },
  usage: {
    id: sqlId('usage', 'n'),
    turn_id: sqlId('turn', 'n'),
    iteration: '1',
    model: `'demo'`,
    answered_by: `'demo'`,
    input_tokens: '1',
    cache_read_tokens: '1',
    cache_write_tokens: '1',
    output_tokens: '1',
    reasoning_tokens: '1',
  },
  // All but those of running turns are counted.
  credit_entries: {
    source_id: sqlId('turn', 'n'),
    part: `'model/1'`,
    kind: `'model'`,
    name: `'demo'`,
    status: `CASE WHEN ${isRunning('n')} THEN 'reserved' ELSE 'settled' END`,
    credits: '1',
    counted: `NOT (${isRunning('n')})`,
    agent_id: sqlId('agent', '(n - 1) / 10 + 1'),
    conversation_id: conversationOf('n'),
    at: timeOf('n'),
  },
  tool_calls: {
    id: sqlId('toolCall', 'n'),
    conversation_id: conversationOf(turn),
    turn_id: sqlId('turn', turn),
    turn_ordinal: ordinalOf(turn),
    iteration: '1',
    index: 'n % 2',
    key: `'key' || n`,
    model_call_id: `'call'`,
    name: `'tool'`,
    effect: `'unsafe'`,
    arguments_hash: `'hash'`,
    status: `CASE WHEN ${isRunning(turn)} OR ${isWaiting(turn)} THEN 'requested' ELSE 'succeeded' END`,
    ended_at: `CASE WHEN ${isRunning(turn)} OR ${isWaiting(turn)} THEN NULL ELSE now() END`,
  },
  events: {
    conversation_id: conversationOf('(n + 3) / 4'),
    seq: '(n - 1) % 40 + 1',
    turn_id: sqlId('turn', '(n + 3) / 4'),
    type: `(ARRAY['turn.started', CASE WHEN (n + 3) / 4 % 20 = 0 THEN 'model.passed' ELSE 'tool.started' END,
      'message.created', 'turn.settled'])[(n - 1) % 4 + 1]`,
    payload: `'{"iteration": 1, "model": "demo"}'`,
    created_at: timeOf('(n + 3) / 4'),
  },
  stream_chunks: {
    conversation_id: conversationOf('(n + 3) / 4'),
    turn_id: sqlId('turn', '(n + 3) / 4'),
    iteration: '1',
    attempt: '1',
    text: `'words'`,
  },
  // A thousand tools for each agent, as behind a large gateway; one in a thousand has changed.
  tool_pins: {
    agent_id: sqlId('agent', '4990 + (n - 1) / 1000'),
    tool_id: sqlId('pinnedTool', 'n'),
    hash: `'hash'`,
    definition: `'{}'`,
    quarantined_at: 'CASE WHEN n % 1000 = 0 THEN now() END',
  },
  connections: {
    id: sqlId('connection', 'n'),
    name: `'server' || n`,
    provider: `'mcp'`,
    auth: `'{}'`,
  },
  connectors: {
    id: sqlId('connector', 'n'),
    name: `'server' || n`,
    type: `'mcp'`,
    connection_id: sqlId('connection', 'n'),
  },
  connector_tools: { tool: `'tool' || n`, connector_id: sqlId('connector', 'n'), position: '0' },
  agent_connectors: { agent_id: sqlId('agent', 'n'), connector_id: sqlId('connector', 'n') },
  api_keys: { id: sqlId('apiKey', 'n'), name: `'Key'`, secret_hash: `'\\x00'`, scopes: `'{}'` },
  // Ten thousand deliveries to each webhook; one in a thousand waits for its next attempt.
  webhook_deliveries: {
    id: sqlId('delivery', 'n'),
    webhook_id: sqlId('webhook', 'n % 20'),
    type: `CASE WHEN n % 2 = 0 THEN 'turn.settled' ELSE 'turn.action_required' END`,
    data: `jsonb_build_object('actionId', ${sqlId('action', 'n')})`,
    status: `CASE WHEN n % 1000 = 0 THEN 'pending' ELSE 'delivered' END`,
    next_attempt_at: `now() - interval '1 hour' + n % 2 * interval '1 day'`,
  },
  // Each call was approved once, and those of turns that wait are not decided. Calls of a thousand tools alternate.
  pending_actions: {
    id: sqlId('action', 'n'),
    kind: `'approval'`,
    status: `CASE WHEN ${isWaiting(turn)} THEN 'pending' ELSE 'approved' END`,
    conversation_id: conversationOf(turn),
    turn_id: sqlId('turn', turn),
    root_turn_id: sqlId('turn', turn),
    tool_call_id: sqlId('toolCall', 'n'),
    tool: `'tool'`,
    arguments: `'{}'`,
    hash: `'hash'`,
    tool_hash: `'hash' || n % 1000`,
    can_remember: 'true',
    remind_at: `now() + interval '1 day'`,
    expires_at: `now() + interval '2 days'`,
    decided_at: `CASE WHEN ${isWaiting(turn)} THEN NULL ELSE now() END`,
  },
  // A thousand tools, each in a few scopes; half of the approvals have ended.
  approval_grants: {
    id: sqlId('grant', 'n'),
    scope: `(ARRAY['workspace', 'agent', 'conversation'])[n % 3 + 1]`,
    scope_id: `(ARRAY['${largeWorkspace}'::uuid, ${sqlId('agent', 'n')}, ${sqlId('conversation', 'n')}])[n % 3 + 1]`,
    tool: `'tool' || n % 1000`,
    tool_hash: `'hash' || n % 1000`,
    pins: `'{}'`,
    until: `now() + (n % 2 * 2 - 1) * interval '1 day'`,
    action_id: sqlId('action', 'n'),
    created_by: `'{}'`,
  },
  // Two thousand cases of each replay, of one conversation each, with a run of its candidate.
  replays: {
    id: sqlId('replay', 'n'),
    name: `'Replay'`,
    input: `'{}'`,
    cases: 'CASE WHEN n > 1 THEN 2000 END',
  },
  replay_cases: {
    replay_id: sqlId('replay', '(n - 1) / 2000 + 2'),
    position: '(n - 1) % 2000',
    conversation_id: sqlId('conversation', 'n'),
    turn_ids: `ARRAY[${sqlId('turn', 'n')}]`,
  },
  replay_runs: {
    replay_id: sqlId('replay', '(n - 1) / 2000 + 2'),
    position: '(n - 1) % 2000',
    lane: `'candidate'`,
    repeat: '1',
    conversation_id: sqlId('conversation', 'n'),
    connections_opened: '0',
    credentials_decrypted: '0',
  },
  // Notes of the first two hundred transactions of the database.
  changes: {
    xid: '(3 + (n - 1) / 1000)::text::xid8',
    type: `'turn'`,
    subject_id: sqlId('turn', 'n'),
    status: `'completed'`,
    conversation_id: conversationOf('n'),
  },
  ...toRoutineColumns({ sqlId, conversationOf }),
  ...toTriggerColumns(sqlId),
  ...toFileColumns(sqlId),
  // Ten subtasks, turns and messages of each swarm. One in a thousand swarms runs.
  swarms: {
    ...{ id: sqlId('swarm', 'n'), kind: `'rich'`, goal: `'Write.'`, limits: `'{}'`, request_hash: `'hash'` },
    deadline_at: `now() + interval '1 day'`,
    updated_at: `now() - interval '1 hour'`,
    parent_swarm_id: `CASE WHEN n % 10 = 0 THEN ${sqlId('swarm', 'n - 1')} END`,
    settled_at: 'CASE WHEN n % 1000 <> 0 THEN now() END',
  },
  swarm_subtasks: {
    swarm_id: swarmOf,
    ...{ id: `'part ' || n`, position: 'n', description: `'Work.'`, assignee: sqlId('agent', 'n') },
    ...{ depends_on: `'{}'`, priority: `'medium'`, status: `'done'`, created_at: 'now()' },
  },
  swarm_turns: {
    ...{ turn_id: sqlId('turn', 'n'), swarm_id: swarmOf, conversation_id: conversationOf('n') },
    ...{ subtask_id: `'part ' || n`, step: `'run:1'` },
    ended_at: `CASE WHEN NOT ${isRunning('n')} THEN now() END`,
  },
  topic_messages: {
    ...{ id: sqlId('message', 'n'), swarm_id: swarmOf, topic: `'plan'`, text: `'Words.'`, sender: `'{}'` },
  },
};

/** A replay whose cases are not selected yet, and one of two thousand cases. */
export const largeReplays = { planned: toRowId('replay', 1), running: toRowId('replay', 50) };

/** A conversation whose ten turns had their contexts shortened, and a turn of a fork that gets the results of the last one. */
export const recordedConversation = {
  conversationId: toRowId('conversation', rowCount + 1),
  firstTurnId: toRowId('turn', rowCount + 1),
  lastTurnId: toRowId('turn', rowCount + 10),
  summaryId: toRowId('message', rowCount + 1001),
  forkedTurnId: toRowId('turn', rowCount + 11),
};

/** Rows of `largeTables` that are unlike their `rowCount` others. */
export const addedRows = toRecordedRows(sqlId, rowCount);

/** The tables that `fillLargeTables` fills. */
export const largeTables = Object.keys(largeColumns);
