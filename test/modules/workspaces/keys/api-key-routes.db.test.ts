import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKeyRepository } from '../../../../src/modules/workspaces/keys/api-key-repository.ts';
import type { AuditEvent } from '../../../../src/domain/audit.ts';
import { scopes, type Scope } from '../../../../src/domain/scope.ts';
import { parseApiKeyText } from '../../../../src/modules/workspaces/keys/api-key-text.ts';
import { startApi, type Api } from '../../../labs/api-lab.ts';
import { shareApi } from '../../../labs/shared-api.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});
afterAll(() => api.stop());

async function createKey(body: object, key = api.key) {
  return api.call('POST', '/api/api-keys', { key, body: { name: 'service', ...body } });
}

test('a key is shown once and can then be used', async () => {
  const made = await createKey({ scopes: ['agents:read'] });
  expect(made.status).toBe(201);
  const key = made.data.key;
  expect(key).toBe(`holdfast_${made.data.apiKey.id}_${key.slice(-43)}`);
  expect((await api.call('GET', '/api/agents', { key })).status).toBe(200);
  const listed = await api.call('GET', '/api/api-keys');
  expect(JSON.stringify(listed.data)).not.toContain(key.slice(-43));
  expect(listed.data.apiKeys[0]).toMatchObject({ id: made.data.apiKey.id, scopes: ['agents:read'] });
});

test('the database holds only a hash of the secret', async () => {
  const { data } = await createKey({});
  const rows = await api.database.system('api_keys').where({ id: data.apiKey.id }).select();
  expect(JSON.stringify(rows)).not.toContain(data.key.slice(-43));
});

test('a key without scopes may do everything except manage keys and read payloads', async () => {
  const { data } = await createKey({});
  const withheld = ['api_keys:write', 'payloads:read'];
  expect(data.apiKey.scopes).toEqual(scopes.filter((scope) => !withheld.includes(scope)));
  const refused = await api.call('GET', '/api/api-keys', { key: data.key });
  expect([refused.status, refused.error.code]).toEqual([403, 'FORBIDDEN']);
  expect(refused.error.details).toEqual({ missingScopes: ['api_keys:write'] });
});

test('a key cannot create a key with more scopes than its own', async () => {
  const key = await api.createKey(api.workspaceId, ['api_keys:write', 'agents:read']);
  const refused = await createKey({ scopes: ['agents:read', 'agents:write'] }, key);
  expect([refused.status, refused.error.code]).toEqual([403, 'FORBIDDEN']);
  expect(refused.error.details).toEqual({ missingScopes: ['agents:write'] });
  expect((await createKey({ scopes: ['agents:read'] }, key)).status).toBe(201);
});

test('each scope allows its own endpoints and no others', async () => {
  const id = '01890000-0000-7000-8000-000000000000';
  const doors = {
    'agents:read': ['GET', '/api/agents'],
    'agents:write': ['DELETE', `/api/agents/${id}`],
    'conversations:read': ['GET', '/api/conversations'],
    'conversations:write': ['POST', `/api/turns/${id}/cancel`],
    'payloads:read': ['POST', '/api/temporal/codec/decode'],
    'api_keys:write': ['GET', '/api/api-keys'],
  } as const;
  for (const scope of scopes) {
    const key = await api.createKey(api.workspaceId, [scope]);
    for (const [needed, [method, path]] of Object.entries(doors)) {
      const { status } = await api.call(method, path, { key });
      expect({ scope, needed, isOpen: status !== 403 }).toEqual({ scope, needed, isOpen: scope === needed });
    }
  }
});

test('a revoked key is refused, and revoking it again changes nothing', async () => {
  const { data } = await createKey({});
  const path = `/api/api-keys/${data.apiKey.id}`;
  const first = await api.call('DELETE', path);
  const second = await api.call('DELETE', path);
  expect(first.data.apiKey.revokedAt).toEqual(second.data.apiKey.revokedAt);
  const refused = await api.call('GET', '/api/agents', { key: data.key });
  expect([refused.status, refused.error.code]).toEqual([401, 'UNAUTHORIZED']);
  expect(refused.headers.get('www-authenticate')).toBe('Bearer');
});

test('an expired key is refused', async () => {
  const { data } = await createKey({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  expect((await api.call('GET', '/api/agents', { key: data.key })).status).toBe(200);
  await api.database
    .system('api_keys')
    .where({ id: data.apiKey.id })
    .update({ expires_at: new Date(0) });
  expect((await api.call('GET', '/api/agents', { key: data.key })).status).toBe(401);
});

test('a key cannot be created with an expiry in the past', async () => {
  const { status, error } = await createKey({ expiresAt: '2020-01-01T00:00:00Z' });
  expect([status, error.details]).toEqual([
    400,
    [{ field: 'expiresAt', message: 'expected a time to come' }],
  ]);
});

test('the error of an invalid key does not say which part is wrong', async () => {
  const other = `holdfast_01890000-0000-7000-8000-000000000000_${'A'.repeat(43)}`;
  const wrongSecret = api.key.slice(0, -43) + 'A'.repeat(43);
  const messages = new Set<string>();
  for (const key of [other, wrongSecret, 'holdfast_', 'x', `${api.key}A`, api.key.toUpperCase()]) {
    const { status, error } = await api.call('GET', '/api/agents', { key });
    expect([status, error.code]).toEqual([401, 'UNAUTHORIZED']);
    messages.add(error.message);
  }
  expect(messages.size).toBe(1);
  for (const authorization of ['', 'Bearer', `Basic ${api.key}`, api.key, `Bearer ${api.key} ${api.key}`]) {
    const { status } = await api.call('GET', '/api/agents', { key: null, headers: { authorization } });
    expect({ authorization, status }).toEqual({ authorization, status: 401 });
  }
});

test('the use of a key is recorded at most once a minute', async () => {
  const { data } = await createKey({});
  const findUse = async () => {
    const key = await createApiKeyRepository(api.database.system).findApiKey(data.apiKey.id);
    return key?.lastUsedAt ?? null;
  };
  expect(await findUse()).toBeNull();
  await api.call('GET', '/api/agents', { key: data.key });
  const first = await findUse();
  expect(first).not.toBeNull();
  await api.call('GET', '/api/agents', { key: data.key });
  expect(await findUse()).toBe(first);
  const earlier = new Date(Date.now() - 61_000);
  await api.database.system('api_keys').where({ id: data.apiKey.id }).update({ last_used_at: earlier });
  await api.call('GET', '/api/agents', { key: data.key });
  expect(Date.parse((await findUse()) ?? '')).toBeGreaterThan(earlier.getTime());
});

test('a workspace can list and revoke its own keys only', async () => {
  const { key } = await api.createWorkspace();
  const mine = await api.call('GET', '/api/api-keys', { key });
  expect(mine.data.apiKeys).toHaveLength(1);
  const { data } = await createKey({});
  expect((await api.call('DELETE', `/api/api-keys/${data.apiKey.id}`, { key })).status).toBe(404);
  expect((await api.call('GET', '/api/agents', { key: data.key })).status).toBe(200);
});

test('a workspace has so many keys that are neither revoked nor expired, also when they are created at once', async () => {
  const limited = await startApi({}, { HOLDFAST_API_KEYS_PER_WORKSPACE: '4' });
  try {
    // The key of the laboratory is one of them.
    const create = () => limited.call('POST', '/api/api-keys', { body: { name: 'one more' } });
    const created = await Promise.all(Array.from({ length: 8 }, create));
    const refused = created.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    for (const { status, error } of refused) {
      expect([status, error.code]).toEqual([409, 'CONFLICT']);
      expect(error.message).toContain('at most 4 API keys');
    }
    const { id } = created.find(({ status }) => status === 201)?.data.apiKey ?? {};
    await limited.call('DELETE', `/api/api-keys/${id}`);
    expect((await create()).status).toBe(201);
  } finally {
    await limited.stop();
  }
});

const idOf = (key: string) => parseApiKeyText(key)?.id ?? '';
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const revoke = (id: string, key: string) => api.call('DELETE', `/api/api-keys/${id}`, { key });

async function listEvents(subjectId: string) {
  const { data } = await api.call('GET', `/api/audit-events?subjectId=${subjectId}`);
  const { auditEvents } = data as unknown as { auditEvents: AuditEvent[] };
  return auditEvents.map(({ type, payload }) => ({ type, payload }));
}

test('a key that expires creates no key that is valid for longer', async () => {
  const expiresAt = inHours(2);
  const own = await createKey({ scopes: ['api_keys:write', 'agents:read'], expiresAt });
  const { key } = own.data;
  const refused = await createKey({ scopes: ['agents:read'], expiresAt: inHours(3) }, key);
  expect([refused.status, refused.error.code, refused.error.details]).toEqual([
    403,
    'FORBIDDEN',
    { expiresAt },
  ]);
  const shorter = await createKey({ scopes: ['agents:read'], expiresAt: inHours(1) }, key);
  expect(shorter.status).toBe(201);
  const unnamed = await createKey({ scopes: ['agents:read'] }, key);
  expect([unnamed.status, unnamed.data.apiKey.expiresAt]).toEqual([201, expiresAt]);
});

test('a key revokes itself, and otherwise only keys with no more than it has', async () => {
  const weak: Scope[] = ['api_keys:write', 'agents:read'];
  const { data } = await createKey({ scopes: weak, expiresAt: inHours(2) });
  const ofAnn = await api.createKey(api.workspaceId, weak, { actsFor: 'ann' });
  const stronger = {
    scopes: await api.createKey(api.workspaceId, ['agents:write']),
    end: await api.createKey(api.workspaceId, ['agents:read']),
  };
  for (const key of Object.values(stronger)) {
    const refused = await revoke(idOf(key), data.key);
    expect([refused.status, refused.error.code]).toEqual([403, 'FORBIDDEN']);
  }
  const finance = await api.createKey(api.workspaceId, ['agents:read'], { groups: ['finance'] });
  const ofOther = await api.createKey(api.workspaceId, ['agents:read'], { actsFor: 'bob' });
  for (const key of [finance, ofOther, stronger.end])
    expect((await revoke(idOf(key), ofAnn)).status).toBe(403);
  const alsoAnn = await api.createKey(api.workspaceId, ['agents:read'], { actsFor: 'Ann' });
  expect((await revoke(idOf(alsoAnn), ofAnn)).status).toBe(200);
  expect((await revoke(idOf(ofAnn), ofAnn)).status).toBe(200);
  expect((await revoke(data.apiKey.id, data.key)).status).toBe(200);
});

test('who created and who revoked a key is stored and audited once', async () => {
  const { data } = await createKey({ scopes: ['agents:read'], groups: [] });
  const { id } = data.apiKey;
  await revoke(id, api.key);
  await revoke(id, await api.createKey(api.workspaceId, [...scopes]));
  const by = { apiKeyId: idOf(api.key), actingFor: null };
  const granted = { scopes: ['agents:read'], groups: [], acts_for: null, expires_at: null };
  expect(await listEvents(id)).toEqual([
    { type: 'api_key.revoked', payload: { name: 'service', by } },
    { type: 'api_key.created', payload: { name: 'service', ...granted, by } },
  ]);
  const row = await api.database.system('api_keys').where({ id }).first<object>('made_by', 'revoked_by');
  expect(row).toEqual({ made_by: by, revoked_by: by });
});
