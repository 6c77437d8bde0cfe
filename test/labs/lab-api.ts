import { fileURLToPath } from 'node:url';
import { createApiKeyText } from '../../src/modules/workspaces/keys/api-key-text.ts';
import { createApiKeyRepository } from '../../src/modules/workspaces/keys/api-key-repository.ts';
import { scopes, type Scope } from '../../src/domain/scope.ts';
import type { ErrorInfo } from '../../src/domain/errors.ts';
import type { TurnDetails } from '../../src/domain/turn.ts';
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

/** The API of a lab in a separate process. */
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
  /** Returns the output of the process so far. */
  log: () => string;
  /** Returns all answers of the API so far, each with the request line. */
  answers: () => string;
  stop: () => Promise<void>;
  /** Kills the process as a crash would. */
  kill: () => Promise<void>;
}

/** Starts `src/main/api.ts` with the database and the Temporal server of a lab. */
export async function startLabApi(lab: TurnLab, environment: Record<string, string> = {}): Promise<LabApi> {
  const api = await startProgram(program, { ...lab.environment, ...environment, PORT: '0' });
  const url = `http://127.0.0.1:${api.port ?? 0}`;
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
    log: api.log,
    answers: () => answers,
    stop: api.stop,
    kill: api.kill,
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
