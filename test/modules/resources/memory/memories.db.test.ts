import { beforeAll, describe, expect, test } from 'vitest';
import { type Api } from '../../../labs/api-lab.ts';
import { shareApi } from '../../../labs/shared-api.ts';
import { expectRefused, openResourceApi } from '../../../labs/resource-api.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

const { call, create, listNames } = openResourceApi(() => api);

describe('memories', () => {
  test('are listed and changed by people, and are forgotten after their time', async () => {
    const { id, expiresAt } = await create('memory', {
      ...{ scope: 'user', person: 'ann', content: 'Ann prefers short answers.' },
      ttlSeconds: 3600,
    });
    expect(Date.parse(expiresAt ?? '') - Date.now()).toBeGreaterThan(3_500_000);
    const filters = encodeURIComponent('{"scope":"user","person":"ann"}');
    expect(await listNames(`kind=memory&filters=${filters}`)).toEqual(['Ann prefers short answers.']);
    const body = { attributes: { content: 'Ann prefers long answers.' } };
    const { data } = await call('PATCH', `/${id}`, { body });
    expect(data.resource).toMatchObject({ name: 'Ann prefers long answers.', version: 2, expiresAt });
    await api.database
      .system('resources')
      .where({ id })
      .update({ expires_at: new Date(Date.now() - 1000) });
    expectRefused(await call('GET', `/${id}`), 'NOT_FOUND', 404);
    expectRefused(await call('PATCH', `/${id}`, { body }), 'NOT_FOUND', 404);
    expect(await listNames(`kind=memory&filters=${filters}`)).toEqual([]);
  });

  test('about a person are seen by no key that acts for another one', async () => {
    const { id } = await create('memory', { scope: 'user', person: 'ann', content: 'Ann likes wombats.' });
    await create('memory', { scope: 'workspace', content: 'Wombats are marsupials.' });
    const scopes = ['resources:read' as const, 'resources:write' as const];
    const key = await api.createKey(api.workspaceId, scopes, { actsFor: 'bob' });
    expectRefused(await call('GET', `/${id}`, { key }), 'NOT_FOUND', 404);
    expectRefused(await call('DELETE', `/${id}`, { key }), 'NOT_FOUND', 404);
    expect(await listNames('kind=memory&query=wombats', { key })).toEqual(['Wombats are marsupials.']);
    expect(await listNames('kind=memory', { key })).not.toContain('Ann likes wombats.');
    const body = { kind: 'memory', attributes: { scope: 'user', person: 'ann', content: 'x' } };
    expectRefused(await call('POST', '', { key, body }), 'FORBIDDEN', 403);
    const headers = { 'idempotency-key': 'one-memory' };
    const ann = { scope: 'user', person: 'ann', content: 'Ann is away.' };
    await create('memory', ann, { headers });
    const bobs = { kind: 'memory', attributes: { scope: 'user', person: 'bob', content: 'Bob is here.' } };
    const taken = await call('POST', '', { key, headers, body: bobs });
    expectRefused(taken, 'CONFLICT', 409);
    expect(JSON.stringify(taken)).not.toContain('away');
    const annsKey = await api.createKey(api.workspaceId, scopes, { actsFor: 'ann' });
    expect(await listNames('kind=memory&query=wombats', { key: annsKey })).toHaveLength(2);
  });
});
