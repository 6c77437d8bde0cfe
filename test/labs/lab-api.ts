import { fileURLToPath } from 'node:url';
import { createApiKeyText } from '../../src/modules/workspaces/keys/api-key-text.ts';
import { createApiKeyRepository } from '../../src/modules/workspaces/keys/api-key-repository.ts';
import { scopes, type Scope } from '../../src/domain/scope.ts';
import type { ErrorInfo } from '../../src/domain/errors.ts';
import type { TurnDetails } from '../../src/domain/turn.ts';
import { loadConfig, requireDatabaseUrl } from '../../src/main/config.ts';
import { createApi } from '../../src/main/create-api.ts';
import { loadOperatorFiles } from '../../src/main/load-operator-files.ts';
import { createLogger } from '../../src/main/logger.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { startProgram } from './program.ts';
import type { TurnLab } from './turn-lab.ts';

const program = fileURLToPath(new URL('../../src/main/api.ts', import.meta.url));

/** An answer of the API, with the fields of its envelope. */
export interface LabAnswer<Data> {
  status: number;
  data: Data;
  error: ErrorInfo;
}

/** The API of a lab. */
export interface LabApi {
  url: string;
  key: string;
  call: <Data = Record<string, never>>(
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<LabAnswer<Data>>;
  /** Makes a request that has to succeed, and returns its data. */
  ask: <Data>(method: string, path: string, body?: unknown) => Promise<Data>;
  /** Sends a message to an agent in a new conversation and waits for the end of the turn. */
  say: (agentId: string, message: string) => Promise<TurnDetails>;
  /** Returns all answers of the API so far, each with the request line. */
  answers: () => string;
  stop: () => Promise<void>;
}

/** The API of a lab in a separate process. */
export interface LabApiProcess extends LabApi {
  /** Returns the output of the process so far. */
  log: () => string;
  /** Kills the process as a crash would. */
  kill: () => Promise<void>;
}

/** Starts an API in this process, with the database and the Temporal server of a lab. */
export async function startLabApi(lab: TurnLab, environment: Record<string, string> = {}): Promise<LabApi> {
  const config = loadConfig({ ...lab.environment, ...environment, PORT: '0' });
  const logger = createLogger(config, 'api');
  const databaseUrl = requireDatabaseUrl(config);
  const operatorFiles = await loadOperatorFiles(config, logger);
  const api = await createApi({ config, databaseUrl, logger, operatorFiles });
  const { url } = await api.listen();
  return { ...(await connectLabApi(lab, url)), stop: api.close };
}

/** Starts `src/main/api.ts` in a separate process, for tests that kill it or read its log. */
export async function startLabApiProcess(
  lab: TurnLab,
  environment: Record<string, string> = {},
): Promise<LabApiProcess> {
  const { port, log, stop, kill } = await startProgram(program, {
    ...lab.environment,
    PORT: '0',
    ...environment,
  });
  return { ...(await connectLabApi(lab, `http://127.0.0.1:${port ?? 0}`)), log, stop, kill };
}

/** Connects to the API at an address, with a new key. */
async function connectLabApi(lab: TurnLab, url: string): Promise<Omit<LabApi, 'stop'>> {
  let answers = '';
  const key = await createLabKey(lab);
  const call: LabApi['call'] = async (method, path, body) => {
    const { status, text } = await callApi({ url: url + path, key, method, body });
    answers += `${method} ${path} ${status} ${text}\n`;
    const answer = JSON.parse(text) as { data: never; error: ErrorInfo };
    return { status, data: answer.data, error: answer.error };
  };
  const ask = async <Data>(method: string, path: string, body?: unknown): Promise<Data> => {
    const { status, data, error } = await call<Data>(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(error)}`);
    return data;
  };
  return {
    url,
    key,
    call,
    ask,
    say: async (agentId, message) => {
      const { conversation } = await ask<{ conversation: { id: string } }>('POST', '/api/conversations', {
        agentId,
      });
      const path = `/api/conversations/${conversation.id}/turns?wait=true`;
      return (await ask<{ turn: TurnDetails }>('POST', path, { message })).turn;
    },
    answers: () => answers,
  };
}

/** Creates a key for a workspace, with all scopes unless some are named. */
export async function createLabKey(
  { database, workspaceId }: Pick<TurnLab, 'database' | 'workspaceId'>,
  own: readonly Scope[] = scopes,
): Promise<string> {
  const id = newId();
  const { text, secretHash } = createApiKeyText(id);
  const key = { id, name: 'lab', secretHash, scopes: own, workspaceId };
  await createApiKeyRepository(database.system).createApiKey(key);
  return text;
}

interface ApiCall {
  url: string;
  key: string;
  method: string;
  body: unknown;
}

/** Makes a request with a key. */
export async function callApi({
  url,
  key,
  method,
  body,
}: ApiCall): Promise<{ status: number; text: string }> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}
