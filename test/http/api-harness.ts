import { Writable } from 'node:stream';
import { EventEmitter } from 'node:events';
import pino from 'pino';
import { createApiKeyText } from '../../src/api-key-text.ts';
import { checkTool } from '../../src/check-tool.ts';
import { connectDatabase } from '../../src/db/connect.ts';
import { createApiKeyRepository } from '../../src/db/repositories/api-keys.ts';
import type { Agent, AgentVersion } from '../../src/domain/agent.ts';
import { scopes, type ApiKey, type Scope } from '../../src/domain/api-key.ts';
import type { Conversation, Message } from '../../src/domain/conversation.ts';
import type { ConversationEvent } from '../../src/domain/event.ts';
import type { JsonValue } from '../../src/domain/json.ts';
import type { Turn, TurnDetails } from '../../src/domain/turn.ts';
import type { AgentTurnInput } from '../../src/domain/turn-steps.ts';
import type { Dependencies } from '../../src/http/dependencies.ts';
import { createServer } from '../../src/http/server.ts';
import { newId } from '../../src/ids.ts';
import { checkModelName } from '../../src/models/model-name.ts';
import { createTestDatabase } from '../helpers/postgres.ts';

/** Everything that `data` of some answer holds; a test knows which of it there is in the answer it looks at. */
interface AnswerData {
  agent: Agent;
  agents: Agent[];
  version: AgentVersion;
  versions: AgentVersion[];
  conversation: Conversation;
  conversations: Conversation[];
  messages: Message[];
  turn: TurnDetails;
  turns: Turn[];
  events: ConversationEvent[];
  apiKey: ApiKey;
  apiKeys: ApiKey[];
  key: string;
  nextCursor: string | null;
}

/** An answer with its envelope taken apart. */
export interface ApiAnswer {
  status: number;
  headers: Headers;
  data: AnswerData;
  error: { code: string; message: string; details: JsonValue };
}

interface CallOptions {
  key?: string | null;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

const noModels = {
  openaiApiKey: undefined,
  openaiBaseUrl: undefined,
  anthropicApiKey: undefined,
  anthropicBaseUrl: undefined,
  googleApiKey: undefined,
  compatibleBaseUrl: undefined,
  compatibleApiKey: undefined,
};

/** The API over real HTTP on a database of its own; workflows are what the test plays. */
export async function startApi(overrides: Partial<Dependencies> = {}) {
  const testDatabase = await createTestDatabase();
  const database = connectDatabase({ url: testDatabase.url });
  const bells = new EventEmitter({ captureRejections: false }).setMaxListeners(0);
  const calls = { started: [] as AgentTurnInput[], cancelled: [] as string[], stopped: [] as string[] };
  const logLines: string[] = [];
  const server = await createServer({
    database,
    startTurn: (input) => Promise.resolve(void calls.started.push(input)),
    cancelTurn: (turnId) => Promise.resolve(void calls.cancelled.push(turnId)),
    notifier: {
      events: (conversationId) => bells.emit(conversationId),
      stop: (turnId) => calls.stopped.push(turnId),
    },
    wakeups: {
      onEvents: (conversationId, wake) => {
        bells.on(conversationId, wake);
        return () => bells.off(conversationId, wake);
      },
    },
    checkModelName: (name) => checkModelName(noModels, name),
    checkTool,
    isReady: () => Promise.resolve({ database: true, temporal: true }),
    logger: pino({ level: 'info' }, toLines(logLines)),
    timings: { pollMs: 50 },
    ...overrides,
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const { workspaceId, key } = await createWorkspace(database.system);
  return {
    url,
    server,
    database,
    databaseUrl: testDatabase.url,
    bells,
    calls,
    logLines,
    workspaceId,
    key,
    createWorkspace: () => createWorkspace(database.system),
    createKey: (of: string, allowed: Scope[]) => createKey(database.system, of, allowed),
    call: (method: string, path: string, options: CallOptions = {}) =>
      callApi(url + path, { method, defaultKey: key, ...options }),
    dropDatabase: testDatabase.drop,
    stop: async () => {
      await server.close();
      await database.close();
      await testDatabase.drop();
    },
  };
}

export type Api = Awaited<ReturnType<typeof startApi>>;

type System = ReturnType<typeof connectDatabase>['system'];

async function createWorkspace(system: System): Promise<{ workspaceId: string; key: string }> {
  const workspaceId = newId();
  await system('workspaces').insert({ id: workspaceId, name: 'test' });
  return { workspaceId, key: await createKey(system, workspaceId, [...scopes]) };
}

async function createKey(system: System, workspaceId: string, allowed: Scope[]): Promise<string> {
  const id = newId();
  const { text, secretHash } = createApiKeyText(id);
  const key = { id, name: 'test', secretHash, scopes: allowed, workspaceId };
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
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const text = await response.text();
  const parsed = (text === '' ? {} : JSON.parse(text)) as Pick<ApiAnswer, 'data' | 'error'>;
  return { status: response.status, headers: response.headers, data: parsed.data, error: parsed.error };
}

/** The least that makes an agent. */
export const plainAgent = { name: 'Plain', model: 'demo', instructions: 'Answer.' };

/** Makes an agent and a conversation with it. */
export async function openConversation(api: Api): Promise<{ agentId: string; conversationId: string }> {
  const agent = await api.call('POST', '/api/agents', { body: plainAgent });
  const agentId = agent.data.agent.id;
  const opened = await api.call('POST', '/api/conversations', { body: { agentId } });
  return { agentId, conversationId: opened.data.conversation.id };
}

/** Starts a turn; the test then plays its workflow. */
export async function startTurn(api: Api, conversationId: string, message = 'Hello'): Promise<string> {
  const { data } = await api.call('POST', `/api/conversations/${conversationId}/turns`, {
    body: { message },
  });
  return data.turn.id;
}
