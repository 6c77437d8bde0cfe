import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/platform/lib/ids.ts';
import { type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { expectRefused, openResourceApi } from '../../labs/resource-api.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

const { call, create, listNames } = openResourceApi(() => api);

const note = { name: 'Deployment', content: 'Deploys run on Tuesdays.', tags: ['operations'] };

describe('a resource', () => {
  test('is created with version 1, its maker and its defaults', async () => {
    const created = await create('note', note);
    expect(created).toMatchObject({
      kind: 'note',
      name: 'Deployment',
      tags: ['operations'],
      version: 1,
      attributes: { ...note, description: '' },
      owner: { type: 'key', person: null, agentId: null },
      deletedAt: null,
    });
    const { data } = await call('GET', `/${created.id}`);
    expect(data.resource).toEqual(created);
  });

  test('is created once by repeated requests with one key', async () => {
    const headers = { 'idempotency-key': 'first' };
    const one = await create('note', { ...note, name: 'Once' }, { headers });
    const again = await create('note', { ...note, name: 'Once' }, { headers });
    expect(again).toEqual(one);
  });

  test('is refused with every wrong attribute', async () => {
    const wrong = await call('POST', '', { body: { kind: 'note', attributes: { name: ' ', text: 'x' } } });
    expectRefused(wrong, 'INVALID_INPUT', 400);
    const strange = await call('POST', '', { body: { kind: 'poem', attributes: {} } });
    expectRefused(strange, 'INVALID_INPUT', 400);
  });

  test('gets a numbered version with each update, and keeps those before', async () => {
    const { id } = await create('note', note);
    const body = { attributes: { content: 'Deploys run on Fridays.' }, version: 1, actingFor: 'ann' };
    const { data } = await call('PATCH', `/${id}`, { body });
    expect(data.resource).toMatchObject({
      version: 2,
      name: 'Deployment',
      attributes: { tags: ['operations'] },
    });
    const { data: listed } = await call('GET', `/${id}/versions`);
    expect(listed.versions).toMatchObject([
      {
        version: 2,
        attributes: { content: 'Deploys run on Fridays.' },
        madeBy: { type: 'person', person: 'ann' },
      },
      { version: 1, attributes: { content: 'Deploys run on Tuesdays.' }, madeBy: { type: 'key' } },
    ]);
    const stale = await call('PATCH', `/${id}`, { body: { attributes: { content: 'Never.' }, version: 1 } });
    expectRefused(stale, 'CONFLICT', 409);
    const empty = await call('PATCH', `/${id}`, { body: { attributes: {} } });
    expectRefused(empty, 'INVALID_INPUT', 400);
  });

  test('takes one of several updates of the same version at the same time', async () => {
    const { id } = await create('note', note);
    const updates = Array.from({ length: 8 }, (_, index) =>
      call('PATCH', `/${id}`, { body: { attributes: { content: `Update ${index}` }, version: 1 } }),
    );
    const statuses = (await Promise.all(updates)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
    expect((await call('GET', `/${id}`)).data.resource.version).toBe(2);
  });

  test('is not found after it was deleted, until it is restored', async () => {
    const { id } = await create('note', { ...note, name: 'Deleted', content: 'zanzibar' });
    expectRefused(await call('DELETE', `/${id}?version=7`), 'CONFLICT', 409);
    expect((await call('DELETE', `/${id}`)).status).toBe(200);
    expectRefused(await call('GET', `/${id}`), 'NOT_FOUND', 404);
    expectRefused(await call('DELETE', `/${id}`), 'NOT_FOUND', 404);
    expectRefused(await call('PATCH', `/${id}`, { body: { attributes: { name: 'a' } } }), 'NOT_FOUND', 404);
    expect(await listNames('query=zanzibar')).toEqual([]);
    expect(await listNames('deleted=true&kind=note')).toEqual(['Deleted']);
    expect((await call('GET', `/${id}?deleted=true`)).data.resource.deletedAt).not.toBeNull();
    expect((await call('POST', `/${id}/restore`)).data.resource.deletedAt).toBeNull();
    expect(await listNames('query=zanzibar')).toEqual(['Deleted']);
  });

  test('gets the attributes of an earlier version back', async () => {
    const { id } = await create('api', { name: 'Shop', url: 'https://shop.example/api' });
    await call('PATCH', `/${id}`, {
      body: { attributes: { document: { openapi: '3.1.0' }, name: 'Store' } },
    });
    const { data } = await call('POST', `/${id}/restore`, { body: { version: 1 } });
    expect(data.resource).toMatchObject({ version: 3, name: 'Shop' });
    expect(data.resource.attributes).not.toHaveProperty('document');
    expectRefused(await call('POST', `/${id}/restore`, { body: { version: 9 } }), 'NOT_FOUND', 404);
  });

  test('writes each change to the audit log, without its content', async () => {
    const { id } = await create('note', { ...note, content: 'planted secret' });
    await call('PATCH', `/${id}`, { body: { attributes: { content: 'other' } } });
    await call('DELETE', `/${id}`);
    await call('POST', `/${id}/restore`);
    const answer = await api.call('GET', `/api/audit-events?subjectId=${id}`);
    const { auditEvents: events } = answer.data as unknown as {
      auditEvents: { type: string; payload: object }[];
    };
    expect(events.map(({ type }) => type)).toEqual([
      'resource.restored',
      'resource.deleted',
      'resource.updated',
      'resource.created',
    ]);
    expect(JSON.stringify(events)).not.toContain('planted secret');
  });

  test('of another workspace is not found', async () => {
    await create('note', { ...note, name: 'Mine', content: 'quokka' });
    const { key } = await api.createWorkspace();
    expect(await listNames('query=quokka', { key })).toEqual([]);
  });
});

describe('a search', () => {
  let key: string;
  const find = (query: string) => listNames(query, { key });
  beforeAll(async () => {
    ({ key } = await api.createWorkspace());
    const notes = [
      { name: 'Refunds', content: 'Customers get refunds within 14 days.', tags: ['billing', 'policy'] },
      {
        name: 'Invoices',
        content: 'Invoices are sent monthly. A refund shows as a credit.',
        tags: ['billing'],
      },
      { name: 'Rückgabe', content: 'Die Rückgabe dauert vierzehn Tage.', tags: ['policy'] },
    ];
    for (const each of notes) await create('note', each, { key });
    await create('prompt', { name: 'Greeting', text: 'Greet {{customer}} and offer a refund.' }, { key });
  });

  test('finds words by their stems, and names before texts', async () => {
    const found = await find('query=refunds');
    expect(found[0]).toBe('Refunds');
    expect(found.sort()).toEqual(['Greeting', 'Invoices', 'Refunds']);
  });

  test('finds exact words of other languages', async () => {
    expect(await find(`query=${encodeURIComponent('Rückgabe')}`)).toEqual(['Rückgabe']);
  });

  test('understands phrases and excluded words', async () => {
    expect(await find(`query=${encodeURIComponent('"sent monthly"')}`)).toEqual(['Invoices']);
    expect(await find(`query=${encodeURIComponent('refund -invoices -greet')}`)).toEqual(['Refunds']);
  });

  test('is narrowed by kind, tags and maker', async () => {
    expect(await find('query=refund&kind=prompt')).toEqual(['Greeting']);
    const filters = encodeURIComponent('{"tags":["billing","policy"]}');
    expect(await find(`filters=${filters}`)).toEqual(['Refunds']);
    expect(await find(`query=refund&filters=${filters}`)).toEqual(['Refunds']);
    expect(await find(`madeBy=agent:${newId()}`)).toEqual([]);
    const unknown = await call('GET', `?filters=${encodeURIComponent('{"color":"red"}')}`);
    expectRefused(unknown, 'INVALID_INPUT', 400);
  });

  test.each(["'", '&', '!!!', '( | ', '\\', 'workspace:', '%', '-'])(
    'takes any text, such as %s',
    async (text) => {
      expect((await call('GET', `?query=${encodeURIComponent(text)}`, { key })).status).toBe(200);
    },
  );

  test('lists all kinds page by page, newest first', async () => {
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 5; page += 1) {
      const { data } = await call('GET', `?limit=2${cursor}`, { key });
      seen.push(...data.resources.map(({ name }) => name));
      if (data.nextCursor === null) break;
      cursor = `&cursor=${data.nextCursor}`;
    }
    expect(seen).toEqual(['Greeting', 'Rückgabe', 'Invoices', 'Refunds']);
  });
});

test('the schema of an operation is the one that agents get', async () => {
  const answer = await api.call('GET', '/api/resource-schemas?kind=note&op=delete');
  const { schema } = answer.data as unknown as { schema: object };
  expect(schema).toMatchObject({
    type: 'object',
    properties: { op: { const: 'delete' }, resource_type: { const: 'note' } },
    required: ['op', 'resource_type', 'id'],
    additionalProperties: false,
  });
});
