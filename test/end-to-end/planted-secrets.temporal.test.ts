import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Agent } from '../../src/domain/agent.ts';
import type { Connection, ConnectionInput } from '../../src/domain/connection.ts';
import type { ToolInput } from '../../src/domain/tool.ts';
import type { HttpServer } from '../servers/http-server.ts';
import { startLabApiProcess, type LabApiProcess } from '../labs/lab-api.ts';
import { consentInBrowser } from '../labs/browser.ts';
import { startOAuthServer, type OAuthServer } from '../servers/oauth-server.ts';
import { startProgram, type Program } from '../labs/program.ts';
import { toSendingRoutine } from '../labs/sending-routine.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import { findSecret, toEncodings } from '../labs/find-secret.ts';
import { startMirrorServer } from '../servers/mirror-server.ts';

const worker = fileURLToPath(new URL('../../src/main/worker.ts', import.meta.url));

function plant(prefix = ''): string {
  return `${prefix}${randomBytes(20).toString('hex')}`;
}

/** The planted secrets, which must be found nowhere. Servers add more during the test. */
const secrets: Record<string, string> = {
  bearerToken: plant('sk-'),
  apiKey: plant('key_'),
  prefixedKey: plant(),
  basicPassword: plant('pass/word+'),
  clientSecret: plant('secret-'),
  authorizationClientSecret: plant('secret-'),
  connectorKey: plant('sk-'),
  providerToken: plant('ghp_'),
  modelKey: plant('sk-proj-'),
  operatorModelKey: plant('sk-'),
  functionSecret: plant('rk_live_'),
  catalogueHeader: plant(),
  revokedToken: plant('sk-'),
  replacedToken: plant('sk-'),
};

let lab: TurnLab;
let api: LabApiProcess;
let running: Program;
let mirror: HttpServer;
let oauth: OAuthServer;
let folder: string;
const failures: string[] = [];

beforeAll(async () => {
  mirror = await startMirrorServer((token) => /^(?:client-)?access-/.test(token) && !oauth.isGood(token));
  folder = mkdtempSync(path.join(tmpdir(), 'holdfast-test-'));
  oauth = await startOAuthServer({
    clients: {
      machine: { secret: secrets.clientSecret, redirectUris: [] },
      person: { secret: secrets.authorizationClientSecret, redirectUris: [] },
    },
  });
  await mkdir(path.join(folder, 'functions'));
  await writeFile(path.join(folder, 'functions', 'tell.ts'), functionSource);
  lab = await startTurnLab({
    worker: false,
    mcpServers: { catalogue: { url: `${mirror.url}/mcp`, headers: { 'x-secret': secrets.catalogueHeader } } },
    environment: {
      HOLDFAST_LOG_LEVEL: 'trace',
      HOLDFAST_FUNCTIONS: path.join(folder, 'functions'),
      HOLDFAST_SECRET_PLANTED: secrets.functionSecret ?? '',
      HOLDFAST_COMPATIBLE_BASE_URL: `${mirror.url}/v1`,
      HOLDFAST_COMPATIBLE_API_KEY: secrets.operatorModelKey ?? '',
    },
  });
  [running, api] = await Promise.all([startProgram(worker, lab.environment), startLabApiProcess(lab)]);
  secrets.holdfastKey = api.key.slice(-43);
});

afterAll(async () => {
  await Promise.all([running.stop(), api.stop()]);
  await lab.close();
  await mirror.close();
  await oauth.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Functions that reveal their secret in a result and in an error. */
const functionSource = `
import { z } from 'zod';
import { defineFunction } from '${fileURLToPath(new URL('../../src/engines/functions/define-function.ts', import.meta.url))}';
const options = { description: 'Tells.', input: z.object({}), secrets: ['PLANTED'] };
export const tell = defineFunction({ ...options, name: 'tell', run: ({ secrets }) => ({ ...secrets }) });
export const fail = defineFunction({
  ...options,
  name: 'fail',
  run: ({ secrets }) => { throw new Error('it is ' + secrets.PLANTED); },
});
`;

async function connect(name: string, parts: Partial<ConnectionInput>): Promise<Connection> {
  const body = { name, provider: 'mcp', endpoint: `${mirror.url}/mcp`, ...parts };
  const { connection } = await api.ask<{ connection: Connection }>('POST', '/api/connections', body);
  await api.call('POST', `/api/connections/${connection.id}/test`);
  await api.call('GET', `/api/connections/${connection.id}/mcp-tools`);
  return connection;
}

/** Calls one tool in a turn by the demo model, which is told by its name what to call. */
async function callTool(tool: Omit<ToolInput, 'description' | 'schema'>, input = '{}'): Promise<void> {
  const { agent } = await api.ask<{ agent: Agent }>('POST', '/api/agents', {
    name: 'Teller',
    model: 'demo',
    instructions: 'Call the tool.',
    tools: [{ description: 'Tells.', schema: { type: 'object', properties: {} }, ...tool }],
  });
  const { outcome, toolCalls } = await api.say(agent.id, `use ${tool.name} with ${input}`);
  if (outcome !== 'completed' || toolCalls.length === 0)
    failures.push(`${tool.name}: ${outcome ?? 'no outcome'}`);
}

function callOver(connection: Connection): Promise<void> {
  const config = { connectionId: connection.id, provider: connection.provider };
  return callTool({ type: 'mcp', name: 'say_back', config });
}

async function useConnections(): Promise<void> {
  const { bearerToken = '', apiKey: key = '', prefixedKey = '', basicPassword = '' } = secrets;
  const connections = [
    await connect('bearer', { auth: { type: 'bearer', token: bearerToken } }),
    await connect('key', { auth: { type: 'api_key', header: 'X-Api-Key', prefix: '', key } }),
    await connect('prefixed', {
      auth: { type: 'api_key', header: 'Authorization', prefix: 'Bot ', key: prefixedKey },
    }),
    await connect('basic', { auth: { type: 'basic', username: 'someone', password: basicPassword } }),
    await connectMachine(),
    await connectPerson(),
  ];
  for (const connection of connections) await callOver(connection);
  await api.ask('GET', '/api/connections');
}

async function connectMachine(): Promise<Connection> {
  return connect('machine', {
    auth: {
      type: 'oauth2_client_credentials',
      tokenUrl: `${oauth.issuer}/token`,
      clientId: 'machine',
      clientSecret: secrets.clientSecret ?? '',
      scopes: [],
    },
  });
}

/** A person consents, and the tokens are refreshed once. */
async function connectPerson(): Promise<Connection> {
  const connection = await connect('person', {
    auth: {
      type: 'oauth2_authorization_code',
      authorizationUrl: `${oauth.issuer}/authorize`,
      tokenUrl: `${oauth.issuer}/token`,
      clientId: 'person',
      clientSecret: secrets.authorizationClientSecret ?? '',
      scopes: [],
    },
  });
  oauth.allowRedirect('person', `${api.url}/api/oauth/callback`);
  const { url } = await api.ask<{ url: string }>('GET', `/api/connections/${connection.id}/authorize`);
  const { question, answer } = await consentInBrowser(url);
  // The form of the page holds the code, for the browser that gave the consent.
  [, secrets.authorizationCode = ''] = /name="code" value="([^"]+)"/.exec(question) ?? [];
  if (answer.status !== 200) failures.push(`the callback answered ${answer.status}`);
  await callOver(connection);
  return connection;
}

async function useOthers(): Promise<void> {
  const { revokedToken = '', replacedToken = '', providerToken = '', modelKey = '' } = secrets;
  const revoked = await connect('revoked', { auth: { type: 'bearer', token: revokedToken } });
  await api.ask('PATCH', `/api/connections/${revoked.id}`, { status: 'revoked' });
  const replaced = await connect('replaced', { auth: { type: 'bearer', token: replacedToken } });
  await api.ask('PATCH', `/api/connections/${replaced.id}`, { auth: { type: 'none' } });
  const github = await connect('github', {
    provider: 'github',
    endpoint: mirror.url,
    auth: { type: 'bearer', token: providerToken },
  });
  const config = { connectionId: github.id, provider: 'github' };
  await callTool({ type: 'mcp', name: 'github_listIssues', config }, '{"owner": "a", "repo": "b"}');
  await callTool({ type: 'mcp', name: 'say_back', config: { server: 'catalogue' } });
  await callTool({ type: 'function', name: 'tell', config: { functionName: 'tell' } });
  await callTool({ type: 'function', name: 'fail', config: { functionName: 'fail' } });
  await askModels(modelKey);
}

/** Models that refuse a call and repeat its key in the error. */
async function askModels(modelKey: string): Promise<void> {
  const model = await connect('model', {
    provider: 'compatible',
    endpoint: `${mirror.url}/v1`,
    auth: { type: 'bearer', token: modelKey },
  });
  for (const modelConnectionId of [model.id, null]) {
    const body = { name: 'Refused', model: 'compatible/any', instructions: '', modelConnectionId };
    const { agent } = await api.ask<{ agent: Agent }>('POST', '/api/agents', body);
    const { outcome } = await api.say(agent.id, 'Hello');
    if (outcome !== 'failed') failures.push(`the model did not refuse: ${outcome ?? ''}`);
  }
}

async function useConnector(): Promise<void> {
  const { connector } = await api.ask<{ connector: { id: string } }>('POST', '/api/connectors', {
    name: 'mirror',
    endpoint: `${mirror.url}/mcp`,
    auth: { api_key: secrets.connectorKey },
    tools: ['say_back'],
  });
  const { agent } = await api.ask<{ agent: Agent }>('POST', '/api/agents', {
    name: 'Provisioned',
    model: 'demo',
    instructions: '',
  });
  await api.ask('POST', `/api/agents/${agent.id}/connectors`, { connectorId: connector.id });
  await api.ask('POST', `/api/agents/${agent.id}/provision`, {});
  await api.ask('GET', `/api/agents/${agent.id}/configuration`);
  const { toolCalls } = await api.say(agent.id, 'use say_back');
  if (toolCalls.length === 0) failures.push('the connector was not called');
}

/** A routine sends secrets of all types to a server that repeats them, and keeps what it answers. */
async function useRoutine(): Promise<void> {
  const agent = { name: 'Routines', model: 'demo', instructions: '' };
  const { agent: by } = await api.ask<{ agent: Agent }>('POST', '/api/agents', agent);
  const stored = { agentId: by.id, document: toSendingRoutine(mirror.url) };
  const { routine } = await api.ask<{ routine: { id: string } }>('POST', '/api/routines', stored);
  const path = `/api/routines/${routine.id}/runs`;
  const { run } = await api.ask<{ run: { output: unknown } }>('POST', path, { waitMs: 30_000 });
  if (!JSON.stringify(run.output).includes('[redacted]'))
    failures.push(`the routine: ${JSON.stringify(run)}`);
}

async function exportHistories(): Promise<string> {
  const histories: string[] = [];
  for await (const { workflowId, runId } of lab.client.workflow.list({
    query: `TaskQueue = '${lab.taskQueue}'`,
  })) {
    const history = await lab.client.workflow.getHandle(workflowId, runId).fetchHistory();
    const json = historyToJSON(history) as string | object;
    histories.push(typeof json === 'string' ? json : JSON.stringify(json));
  }
  if (histories.length < 10) failures.push(`only ${histories.length} histories were found`);
  return histories.join('\n');
}

/** Every row of every table as JSON, with bytes in hex. */
async function dumpDatabase(): Promise<string> {
  const owner = new pg.Client(lab.databaseUrl);
  await owner.connect();
  try {
    const { rows: tables } = await owner.query<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    const dumps: string[] = [];
    for (const { name } of tables) {
      const { rows } = await owner.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${name} t`);
      dumps.push(`${name}\n${rows.map(({ row }) => row).join('\n')}`);
    }
    return dumps.join('\n');
  } finally {
    await owner.end();
  }
}

function takeTokens(): void {
  for (const [index, { accessTokens, refreshToken, usedRefreshTokens }] of oauth.grants.entries()) {
    secrets[`refreshToken${index}`] = refreshToken;
    [...accessTokens].forEach((token, number) => (secrets[`accessToken${index}.${number}`] = token));
    [...usedRefreshTokens].forEach((token, number) => (secrets[`usedToken${index}.${number}`] = token));
  }
  [...oauth.clientTokens].forEach((token, number) => (secrets[`clientToken${number}`] = token));
}

test('a secret is found in every encoding that it may have', () => {
  const secret = plant('sk-+/?');
  const places = [
    secret,
    Buffer.from(secret).toString('hex'),
    ...['', 'a', 'ab', 'abc'].map((before) => Buffer.from(`${before}${secret}after`).toString('base64')),
    Buffer.from(`x${secret}y`).toString('base64url'),
    encodeURIComponent(secret),
  ];
  for (const text of places) expect(findSecret(secret, { text: `…${text}…` })).not.toEqual([]);
  expect(findSecret(secret, { text: plant('sk-+/?') })).toEqual([]);
  expect(toEncodings(secret).every((form) => form.length >= 20)).toBe(true);
});

test('planted secrets are in no history, row, log or answer', async () => {
  await useConnections();
  oauth.endAccessTokens();
  await useEndedTokens();
  await useOthers();
  await useConnector();
  await useRoutine();
  takeTokens();
  const places = {
    history: await exportHistories(),
    database: await dumpDatabase(),
    'log of the worker': running.log(),
    'log of the API': api.log(),
    answers: api.answers(),
  };
  expect(failures).toEqual([]);
  expect(Object.keys(secrets).length).toBeGreaterThanOrEqual(20);
  for (const [place, text] of Object.entries(places))
    expect([place, text.length > 1000]).toEqual([place, true]);
  const found = Object.entries(secrets).flatMap(([name, secret]) => {
    expect([name, secret.length > 15]).toEqual([name, true]);
    return findSecret(secret, places).map((place) => `${name} in ${place}`);
  });
  expect(found).toEqual([]);
});

/** The connections with tokens again, whose tokens have ended meanwhile and are refreshed. */
async function useEndedTokens(): Promise<void> {
  const { connections } = await api.ask<{ connections: Connection[] }>('GET', '/api/connections');
  for (const connection of connections.filter(({ name }) => ['machine', 'person'].includes(name))) {
    await callOver(connection);
  }
}
