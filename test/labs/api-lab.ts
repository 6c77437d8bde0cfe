import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { EventEmitter } from 'node:events';
import pino from 'pino';
import { createApiKeyText } from '../../src/modules/workspaces/keys/api-key-text.ts';
import { loadConfig } from '../../src/main/config.ts';
import { createApi } from '../../src/main/create-api.ts';
import type { Database } from '../../src/platform/database/connect-database.ts';
import { createApiKeyRepository } from '../../src/modules/workspaces/keys/api-key-repository.ts';
import type { PendingAction } from '../../src/domain/action.ts';
import type { ApprovalGrant } from '../../src/modules/actions/approval-grant.ts';
import type { Agent, AgentVersion } from '../../src/domain/agent.ts';
import { type ApiKey, type ApiKeyInput } from '../../src/domain/api-key.ts';
import { scopes, type Scope } from '../../src/domain/scope.ts';
import type { Budget } from '../../src/domain/budget.ts';
import type { Connection } from '../../src/domain/connection.ts';
import type { ConnectionTest } from '../../src/domain/discovered-tool.ts';
import type { WorkspaceSettings } from '../../src/modules/workspaces/settings/workspace-settings.ts';
import type { DocumentGeneration } from '../../src/modules/knowledge/document-contract.ts';
import type { DeliveryRef } from '../../src/modules/webhooks/deliveries/delivery-contract.ts';
import type { KnowledgeBase, KnowledgeDocument, KnowledgeResult } from '../../src/domain/knowledge.ts';
import type { Conversation, Message } from '../../src/domain/conversation.ts';
import type { ConversationEvent } from '../../src/domain/event.ts';
import type { FileFacts } from '../../src/domain/file.ts';
import type { FunctionListing } from '../../src/domain/function.ts';
import type { JsonValue } from '../../src/domain/json.ts';
import type { RoutineDetails } from '../../src/domain/routine.ts';
import type { TurnModelCall } from '../../src/domain/model-call.ts';
import type { ToolCall, Turn, TurnDetails } from '../../src/domain/turn.ts';
import type { UsageFigures } from '../../src/domain/usage-report.ts';
import type { Delivery, DeliveryDetails, Webhook } from '../../src/domain/webhook.ts';
import type { AgentTurnInput } from '../../src/contract/turn-steps.ts';
import type { Dependencies } from '../../src/main/api-dependencies.ts';
import type { Door } from '../../src/platform/http/door.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { createTestDatabase } from './postgres.ts';

/** The fields of `data` in all answers of the API; each answer has some of them. */
export interface AnswerData {
  agent: Agent;
  agents: Agent[];
  version: AgentVersion;
  versions: AgentVersion[];
  conversation: Conversation;
  conversations: Conversation[];
  messages: Message[];
  turn: TurnDetails;
  turns: Turn[];
  toolCall: ToolCall;
  modelCalls: TurnModelCall[];
  action: PendingAction;
  actions: PendingAction[];
  approvalGrant: ApprovalGrant;
  approvalGrants: ApprovalGrant[];
  events: ConversationEvent[];
  apiKey: ApiKey;
  apiKeys: ApiKey[];
  workspace: WorkspaceSettings;
  key: string;
  functions: FunctionListing[];
  connection: Connection;
  connections: Connection[];
  test: ConnectionTest;
  routine: RoutineDetails;
  url: string;
  expiresAt: string;
  budget: Budget;
  usage: UsageFigures[];
  knowledgeBase: KnowledgeBase;
  knowledgeBases: KnowledgeBase[];
  document: KnowledgeDocument;
  documents: KnowledgeDocument[];
  file: FileFacts;
  files: FileFacts[];
  results: KnowledgeResult[];
  webhook: Webhook;
  webhooks: Webhook[];
  secret: string;
  delivery: DeliveryDetails;
  deliveries: Delivery[];
  notice: string | null;
  nextCursor: string | null;
}

/** An answer of the API, with the fields of its envelope. */
export interface ApiAnswer {
  status: number;
  headers: Headers;
  data: AnswerData;
  error: { code: string; message: string; details: JsonValue };
}

export interface CallOptions {
  key?: string | null;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

interface ApiLabOptions {
  /** Prepares the database and returns its address, which may be that of a proxy. @default that of the database */
  toDatabaseUrl?: (url: string) => Promise<string>;
  /** @default the doors of all modules */
  doors?: readonly Door<Dependencies>[];
}

/** The API of `createApi`, over real HTTP with its own database. The test does the work of workflows. */
export async function startApi(
  overrides: Partial<Dependencies> = {},
  environment: Record<string, string> = {},
  { toDatabaseUrl = (url) => Promise.resolve(url), ...options }: ApiLabOptions = {},
) {
  const testDatabase = await createTestDatabase();
  const databaseUrl = await toDatabaseUrl(testDatabase.url);
  const bells = new EventEmitter({ captureRejections: false }).setMaxListeners(0);
  const calls = {
    started: [] as AgentTurnInput[],
    cancelled: [] as string[],
    told: [] as string[],
    stopped: [] as string[],
    steeredNow: [] as string[],
    ingested: [] as DocumentGeneration[],
    delivered: [] as DeliveryRef[],
    replayed: [] as string[],
    /** The schedules that Temporal has a copy of. */
    scheduled: [] as string[],
    routines: [] as string[],
    swarmed: [] as string[],
  };
  const logLines: string[] = [];
  const api = await createApi({
    ...options,
    config: createTestConfig(environment),
    databaseUrl,
    logger: pino({ level: 'info' }, toLines(logLines)),
    connect: () => ({
      startTurn: (input) => Promise.resolve(void calls.started.push(input)),
      cancelTurn: (turnId) => Promise.resolve(void calls.cancelled.push(turnId)),
      notifyDecision: (_turnId, actionId) => Promise.resolve(void calls.told.push(actionId)),
      startIngestion: (document) => Promise.resolve(void calls.ingested.push(document)),
      startDelivery: (delivery) => Promise.resolve(void calls.delivered.push(delivery)),
      startSwarm: ({ swarmId }) => Promise.resolve(void calls.swarmed.push(swarmId)),
      startReplay: ({ replayId }) => Promise.resolve(void calls.replayed.push(replayId)),
      schedules: {
        saveSchedule: (_workspaceId, { id }) => Promise.resolve(void calls.scheduled.push(id)),
        hasSchedule: (id) => Promise.resolve(calls.scheduled.includes(id)),
        deleteSchedule: () => Promise.resolve(),
        runSchedule: () => Promise.resolve(true),
        backfillSchedule: () => Promise.resolve(true),
        countTimes: () => Promise.resolve(1),
        listNextRuns: () => Promise.resolve([]),
      },
      startRoutine: ({ runId }) => Promise.resolve(void calls.routines.push(runId)),
      wakeRoutine: () => Promise.resolve(),
      readRoutine: () => Promise.resolve(null),
      controlRoutine: () => Promise.resolve(),
      checkHealth: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }),
    overrides: {
      notifier: {
        events: (conversationId) => bells.emit(conversationId),
        stop: (turnId) => calls.stopped.push(turnId),
        steerNow: (turnId) => calls.steeredNow.push(turnId),
      },
      wakeups: {
        onEvents: (conversationId, wake) => {
          bells.on(conversationId, wake);
          return () => bells.off(conversationId, wake);
        },
        onChunks: () => () => undefined,
        isListening: () => false,
      },
      timings: { pollMs: 50 },
      ...overrides,
    },
  });
  const { services } = api;
  const { database } = services;
  const { url } = await api.listen();
  const { workspaceId, key } = await createWorkspace(database.system);
  return {
    url,
    database,
    databaseUrl: testDatabase.url,
    bells,
    calls,
    logLines,
    workspaceId,
    key,
    services,
    createWorkspace: () => createWorkspace(database.system),
    createKey: (of: string, allowed: Scope[], identity: KeyIdentity = {}) =>
      createKey(database.system, of, { scopes: allowed, ...identity }),
    call: (method: string, path: string, options: CallOptions = {}) =>
      callApi(url + path, { method, defaultKey: key, ...options }),
    dropDatabase: testDatabase.drop,
    stop: async () => {
      await api.close();
      await testDatabase.drop();
    },
  };
}

export type Api = Awaited<ReturnType<typeof startApi>>;

type System = Database['system'];

/** Returns a configuration with its own encryption keys that allows calls to test servers on loopback. */
function createTestConfig(environment: Record<string, string>) {
  return loadConfig({
    PORT: '0',
    HOLDFAST_ALLOW_LOOPBACK: 'true',
    HOLDFAST_ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    ...environment,
  });
}

async function createWorkspace(system: System): Promise<{ workspaceId: string; key: string }> {
  const workspaceId = newId();
  await system('workspaces').insert({ id: workspaceId, name: 'test' });
  return { workspaceId, key: await createKey(system, workspaceId, { scopes: [...scopes] }) };
}

/** The groups of a key, and the person for whom it acts. */
type KeyIdentity = Pick<ApiKeyInput, 'groups' | 'actsFor'>;

async function createKey(
  system: System,
  workspaceId: string,
  { scopes: allowed, groups = [], actsFor }: KeyIdentity & { scopes: Scope[] },
): Promise<string> {
  const id = newId();
  const { text, secretHash } = createApiKeyText(id);
  const key = { id, name: 'test', secretHash, scopes: allowed, workspaceId, groups, actsFor };
  await createApiKeyRepository(system).createApiKey(key);
  return text;
}

function toLines(lines: string[]): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
}

async function callApi(
  url: string,
  {
    method,
    defaultKey,
    key = defaultKey,
    headers = {},
    body,
    signal,
  }: CallOptions & { method: string; defaultKey: string },
): Promise<ApiAnswer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const text = await response.text();
  const parsed = (text === '' ? {} : JSON.parse(text)) as Pick<ApiAnswer, 'data' | 'error'>;
  return { status: response.status, headers: response.headers, data: parsed.data, error: parsed.error };
}

function isRaw(body: unknown): body is string | Buffer<ArrayBuffer> {
  return typeof body === 'string' || Buffer.isBuffer(body);
}

/** The smallest valid agent. */
export const plainAgent = { name: 'Plain', model: 'demo', instructions: 'Answer.' };

/** Creates an agent and a conversation with it. */
export async function openConversation(api: Api): Promise<{ agentId: string; conversationId: string }> {
  const agent = await api.call('POST', '/api/agents', { body: plainAgent });
  const agentId = agent.data.agent.id;
  const opened = await api.call('POST', '/api/conversations', { body: { agentId } });
  return { agentId, conversationId: opened.data.conversation.id };
}

/** Submits a turn. No workflow runs; the test does its work. */
export async function startTurn(api: Api, conversationId: string, message = 'Hello'): Promise<string> {
  const { data } = await api.call('POST', `/api/conversations/${conversationId}/turns`, {
    body: { message },
  });
  return data.turn.id;
}
