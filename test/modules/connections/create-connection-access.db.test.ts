import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/platform/lib/ids.ts';
import { startConnectionLab, startHeaderEcho, type ConnectionLab } from '../../labs/connection-lab.ts';

let lab: ConnectionLab;
let own: Awaited<ReturnType<typeof startHeaderEcho>>;
let foreign: typeof own;

beforeAll(async () => {
  own = await startHeaderEcho();
  foreign = await startHeaderEcho();
  const slack = { baseUrl: `${own.url}/api/`, auth: {} };
  lab = await startConnectionLab({
    findProvider: (name) => Promise.resolve(name === 'slack' ? slack : undefined),
  });
});
afterAll(async () => {
  await own.close();
  await foreign.close();
  await lab.stop();
});

const basic = Buffer.from('ann:correct horse').toString('base64');

const kinds = [
  { auth: { type: 'none' }, header: 'authorization', value: undefined },
  {
    auth: { type: 'bearer', token: 'token-1234567890' },
    header: 'authorization',
    value: 'Bearer token-1234567890',
  },
  { auth: { type: 'api_key', key: 'key-1234567890' }, header: 'x-api-key', value: 'key-1234567890' },
  {
    auth: { type: 'api_key', header: 'Authorization', prefix: 'Bot ', key: 'key-1234567890' },
    header: 'authorization',
    value: 'Bot key-1234567890',
  },
  {
    auth: { type: 'basic', username: 'ann', password: 'correct horse' },
    header: 'authorization',
    value: `Basic ${basic}`,
  },
];

describe.each(kinds)('a connection with $auth.type in $header', ({ auth, header, value }) => {
  test('sends its credentials to its own origin, also when the caller sets other headers', async () => {
    const { id } = await lab.create({ endpoint: `${own.url}/mcp`, auth });
    const { fetch } = await lab.open(id);
    await fetch(`${own.url}/other/path`, {
      headers: { Authorization: 'Bearer of-the-caller', Cookie: 'a=b' },
    });
    const seen = own.seen.at(-1);
    expect(seen?.[header]).toBe(value);
    expect(JSON.stringify(seen)).not.toContain('of-the-caller');
    expect(seen?.cookie).toBeUndefined();
  });

  test('sends no credentials to another origin', async () => {
    const { id } = await lab.create({ endpoint: `${own.url}/mcp`, auth });
    const { fetch } = await lab.open(id);
    await fetch(foreign.url, { headers: { Authorization: 'Bearer of-the-caller' } });
    const seen = foreign.seen.at(-1);
    expect(seen?.authorization).toBeUndefined();
    expect(seen?.['x-api-key']).toBeUndefined();
  });
});

test('a redirect to another origin is returned and not followed', async () => {
  const count = foreign.seen.length;
  const redirecting = await startHeaderEcho({ status: 307, headers: { location: foreign.url } });
  const { id } = await lab.create({
    endpoint: redirecting.url,
    auth: { type: 'bearer', token: 'token-1234567890' },
  });
  const { fetch } = await lab.open(id);
  const response = await fetch(redirecting.url, { redirect: 'follow', method: 'POST', body: 'x' });
  expect(response.status).toBe(307);
  expect(foreign.seen).toHaveLength(count);
  await redirecting.close();
});

test('a connection without an endpoint is bound to the base URL of its provider', async () => {
  const { id } = await lab.create({ provider: 'slack', auth: { type: 'bearer', token: 'token-1234567890' } });
  const { baseUrl, fetch } = await lab.open(id);
  expect(baseUrl).toBe(`${own.url}/api`);
  await fetch(`${own.url}/api/x`);
  expect(own.seen.at(-1)?.authorization).toBe('Bearer token-1234567890');
});

test('a connection without a known origin sends its credentials to no server', async () => {
  const { id } = await lab.create({
    provider: 'openai',
    auth: { type: 'bearer', token: 'token-1234567890' },
  });
  const { baseUrl, fetch } = await lab.open(id);
  expect(baseUrl).toBeNull();
  await fetch(own.url);
  expect(own.seen.at(-1)?.authorization).toBeUndefined();
});

describe('opening a connection', () => {
  const denied = (id: string) => ({
    code: 'CONNECTION_ACCESS_DENIED',
    message: `Connection ${id} not found or access denied`,
  });

  test.each([newId(), 'no id at all'])('is refused when the connection does not exist (%s)', async (id) => {
    await expect(lab.open(id)).rejects.toMatchObject(denied(id));
  });

  test('is refused for a connection of another workspace with the error for one that does not exist', async () => {
    const { id } = await lab.create({ endpoint: own.url });
    const workspaceId = await lab.createWorkspace();
    const opening = lab.connectionAccess.open({ workspaceId, connectionId: id });
    await expect(opening).rejects.toMatchObject(denied(id));
  });

  test('is refused for a connection of another provider than expected', async () => {
    const { id } = await lab.create({ provider: 'slack' });
    const opening = lab.connectionAccess.open({
      workspaceId: lab.workspaceId,
      connectionId: id,
      provider: 'github',
    });
    await expect(opening).rejects.toMatchObject({
      code: 'CONNECTION_PROVIDER_MISMATCH',
      message: 'Connection provider mismatch: expected github, got slack',
    });
  });

  test('is refused when the connection is revoked', async () => {
    const { id } = await lab.create({ name: 'Team chat', provider: 'slack' });
    await lab.update(id, { status: 'revoked' });
    await expect(lab.open(id)).rejects.toMatchObject({
      code: 'CONNECTION_NOT_ACTIVE',
      message: 'Connection Team chat is revoked. Please reconnect.',
    });
  });

  test('records the time of use, at most once a minute', async () => {
    const { id, lastUsedAt } = await lab.create({ endpoint: own.url });
    expect(lastUsedAt).toBeNull();
    await lab.open(id);
    const first = (await lab.find(id)).lastUsedAt;
    expect(first).not.toBeNull();
    await lab.open(id);
    expect((await lab.find(id)).lastUsedAt).toBe(first);
    await lab.database
      .system('connections')
      .where({ id })
      .update({ last_used_at: new Date(0) });
    await lab.open(id);
    expect(Date.parse((await lab.find(id)).lastUsedAt ?? '')).toBeGreaterThan(0);
  });
});

test('an open connection redacts its secrets in every encoding in which they are sent', async () => {
  const password = 'pässword & "more"';
  const { id } = await lab.create({ endpoint: own.url, auth: { type: 'basic', username: 'ann', password } });
  const { redact } = await lab.open(id);
  const bytes = Buffer.from(password);
  const forms = [
    password,
    encodeURIComponent(password),
    JSON.stringify({ password }),
    bytes.toString('base64'),
    bytes.toString('hex'),
    Buffer.from(`ann:${password}`).toString('base64'),
  ];
  const text = redact(`before ${forms.join(' | ')} after`);
  for (const form of [password, ...forms.slice(3)]) expect(text).not.toContain(form);
  expect(text).toMatch(/^before \[redacted\] \| \[redacted\] \| .* after$/);
});

describe('opening a connection for a model', () => {
  test('returns the key and the address of the connection', async () => {
    const auth = { type: 'api_key', key: 'sk-1234567890' };
    const { id } = await lab.create({ provider: 'compatible', endpoint: `${own.url}/v1/`, auth });
    const request = { workspaceId: lab.workspaceId, connectionId: id };
    expect(await lab.connectionAccess.openForModel(request)).toEqual({
      apiKey: 'sk-1234567890',
      baseUrl: `${own.url}/v1`,
    });
  });

  test('fails when the connection has no key', async () => {
    const { id } = await lab.create({ provider: 'openai' });
    const opening = lab.connectionAccess.openForModel({ workspaceId: lab.workspaceId, connectionId: id });
    await expect(opening).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('the stored row of a connection', () => {
  test('holds no secret in plain text', async () => {
    const { id } = await lab.create({
      endpoint: own.url,
      auth: { type: 'bearer', token: 'sk-planted-secret-1234' },
    });
    const row = await lab.database.system('connections').where({ id }).first<{ sealed: Buffer }>();
    expect(JSON.stringify(row)).not.toContain('planted');
    expect(row.sealed.includes('planted')).toBe(false);
  });

  test('cannot be opened under the id of another connection', async () => {
    const auth = { type: 'bearer', token: 'token-1234567890' };
    const [one, other] = [
      await lab.create({ endpoint: own.url, auth }),
      await lab.create({ endpoint: own.url, auth }),
    ];
    const { sealed } = await lab.database
      .system('connections')
      .where({ id: one.id })
      .first<{ sealed: Buffer }>();
    await lab.database.system('connections').where({ id: other.id }).update({ sealed });
    await expect(lab.open(other.id)).rejects.toMatchObject({ code: 'SECRETS_UNAVAILABLE' });
  });
});

test('a connection that was changed by its id in upper case can still be opened', async () => {
  const { id } = await lab.create({ endpoint: own.url, auth: { type: 'bearer', token: 'the-old-token' } });
  const auth = { type: 'bearer', token: 'the-new-token' } as const;
  await lab.update(id.toUpperCase(), { auth });
  const { fetch } = await lab.open(id);
  await fetch(own.url);
  expect(own.seen.at(-1)?.authorization).toBe('Bearer the-new-token');
});

test('a user name that serves as a key is sealed as a secret', async () => {
  const username = 'key-of-greenhouse-1234';
  const { id, auth } = await lab.create({
    endpoint: own.url,
    auth: { type: 'basic', username, password: 'x' },
  });
  expect(auth).toEqual({ type: 'basic', username: 'key-…1234', password: '…' });
  const { redact } = await lab.open(id);
  expect(redact(`for ${username}`)).toBe('for [redacted]');
});

test('an unreachable database is a retryable error, and the call was not sent', async () => {
  const broken = await startConnectionLab();
  const { id } = await broken.create({ endpoint: own.url, auth: { type: 'bearer', token: 'token-1234' } });
  await broken.database.close();
  await expect(broken.open(id)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
});
