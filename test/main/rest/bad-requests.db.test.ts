import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { newId } from '../../../src/platform/lib/ids.ts';
import { routes } from '../../../src/main/rest-routes.ts';
import type { DeclaredRoute } from '../../../src/platform/http/route.ts';
import { offsetPageQuery, pageQuery } from '../../../src/platform/http/schemas.ts';
import { openConversation, startTurn, type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { toSmallest } from '../../labs/id-places.ts';
import { fillTemplate } from '../../labs/id-requests.ts';
import { countRows, expectRefusedAnswers } from '../../labs/expect-refusal.ts';

let api: Api;
let rowsBefore: unknown;
let ids: { agentId: string; conversationId: string; turnId: string; knowledgeBaseId: string };
beforeAll(async () => {
  api = await shareApi();
  const { agentId, conversationId } = await openConversation(api);
  const { data } = await api.call('POST', '/api/knowledge-bases', { body: { name: 'Handbook' } });
  const turnId = await startTurn(api, conversationId);
  ids = { agentId, conversationId, turnId, knowledgeBaseId: data.knowledgeBase.id };
  rowsBefore = await countRows(api);
});
afterAll(async () => {
  const rowsAfter = await countRows(api);
  await api.stop();
  // No request of this file may store anything.
  expect(rowsAfter).toEqual(rowsBefore);
});

/** These take lines or a file, and have tests of their own. */
const withOtherBody = ['/api/recordings', '/api/files'];

/** The endpoints with a JSON body. */
const withBody = routes.filter(
  ({ method, path }) =>
    (method === 'POST' && !withOtherBody.includes(path)) || method === 'PATCH' || method === 'PUT',
);
/**
 * The endpoints that stand for all others where one parser reads the bodies of all: one for each method, those with a
 * limit of their own, and one that takes any text.
 */
const parsed = withBody.filter(
  ({ method, path, maxBodyBytes }, index) =>
    maxBodyBytes !== undefined ||
    path.endsWith('/turns') ||
    index === withBody.findIndex((route) => route.method === method),
);
const guarded: DeclaredRoute[] = routes.filter(({ right }) => right !== null);
const withId = guarded.filter(({ path }) => path.includes(':id'));
/** The first endpoint with an id of each noun. Endpoints declare their ids by a few schemas. */
const firstWithId = withId.filter(
  ({ path }, index) => index === withId.findIndex((route) => nounOf(route.path) === nounOf(path)),
);
const withPart = withId.filter(({ path }) => /:id\/.*:(?!version|position)/.test(path));
const json = { 'content-type': 'application/json' };

function nounOf(path: string): string | undefined {
  return path.split('/')[2];
}

function shapeOf(query: unknown): z.core.$ZodShape {
  return query instanceof z.ZodObject ? query.shape : {};
}

/** The limits of pages that most lists have. Other pages have limits, and cursors, of another kind. */
const limits: unknown[] = [pageQuery.shape.limit, offsetPageQuery.shape.limit];
const limited = guarded.filter(({ method, inputs }) => method === 'GET' && 'limit' in shapeOf(inputs?.query));
const paged = limited.filter(({ inputs }) => limits.includes(shapeOf(inputs?.query).limit));
const withIdCursor = limited.filter(({ inputs }) => shapeOf(inputs?.query).cursor === pageQuery.shape.cursor);
/** What a list needs besides its page. */
const neededQueries = new Map([['/api/inbox', '&person=ada']]);
const lists = withIdCursor.filter(({ path }) => !path.includes(':'));

function fill(path: string, id = newId()): string {
  return path
    .replace(':id', id)
    .replace(':version', '1')
    .replace(':position', '1')
    .replaceAll(/:\w+/g, () => newId())
    .replace(/\/compare$/, `/compare?with=${newId()}`)
    .replace(/\/file$/, '/file?path=a');
}

/** The schema of the body of an endpoint; undefined when the endpoint takes none. */
function bodySchemaOf({ inputs }: DeclaredRoute): z.ZodType | undefined {
  return inputs?.body instanceof z.ZodType ? inputs.body : undefined;
}

/** Whether an endpoint takes requests without a body. */
function needsNoBody(route: DeclaredRoute): boolean {
  return bodySchemaOf(route)?.safeParse(null).success ?? true;
}

/** A valid body of an endpoint, so that only the id in the path is wrong; undefined for an endpoint that takes none. */
function validBody(route: DeclaredRoute): object | undefined {
  return bodySchemaOf(route) && fillTemplate(toSmallest(route, 'body'), () => newId());
}

/** The error for a connection that does not exist or belongs to another workspace. */
function absence(path: string, url: string) {
  if (!path.endsWith('/mcp-tools')) return { status: 404, code: 'NOT_FOUND' };
  const id = url.split('/')[3] ?? '';
  const message = `Connection ${id} not found or access denied`;
  return { status: 403, code: 'CONNECTION_ACCESS_DENIED', message };
}

/** A method that no endpoint of a path has. */
function toOtherMethod(path: string): string {
  const known = routes.filter((route) => route.path === path).map(({ method }): string => method);
  return ['PUT', 'PATCH', 'DELETE', 'POST'].find((method) => !known.includes(method)) ?? 'TRACE';
}

/** More bodies that are no JSON object. */
const otherWrongBodies = ['{"a":}', 'nonsense', '"text"', '7', '{"__proto__":{"a":1}}', '\ufeff{'];

describe('every endpoint', () => {
  test.each(guarded)('$method $path requires a key', async ({ method, path }) => {
    const run = () => api.call(method, fill(path), { key: null });
    await expectRefusedAnswers([run], { status: 401, code: 'UNAUTHORIZED' });
  });

  test.each(withId)('$method $path answers 404 for an unknown id', async (route) => {
    const { method, path } = route;
    const body = validBody(route);
    const url = fill(path);
    await expectRefusedAnswers([() => api.call(method, url, { body })], absence(path, url));
  });

  test.each(withPart)('$method $path answers 404 for an unknown part', async (route) => {
    const { method, path } = route;
    const body = validBody(route);
    const url = fill(path, path.startsWith('/api/agents') ? ids.agentId : ids.knowledgeBaseId);
    await expectRefusedAnswers([() => api.call(method, url, { body })], { status: 404, code: 'NOT_FOUND' });
  });

  test.each(withPart)('$method $path refuses a malformed id of a part', async (route) => {
    const { method, path } = route;
    const body = validBody(route);
    const [field = ''] = /\w+Id/.exec(path) ?? [];
    const malformed = ['1', `${newId()}x`, '%00', "'%20OR%201=1", 'a'.repeat(90)];
    const runs = malformed.map((id) => () => {
      const url = fill(path.replace(`:${field}`, id), ids.agentId);
      return api.call(method, url, { body });
    });
    await expectRefusedAnswers(runs, { details: [{ field }] });
  });

  test.each(withId)('$method $path refuses a malformed id', async (route) => {
    const { method, path } = route;
    const body = validBody(route);
    const run = () => api.call(method, fill(path, `${newId()}x`), { body });
    await expectRefusedAnswers([run], { details: [{ field: 'id' }] });
  });

  test.each(firstWithId)('$method $path refuses ids that are malformed in any way', async (route) => {
    const { method, path } = route;
    const body = validBody(route);
    const malformed = ['1', 'x', '%00', "'%20OR%201=1", '..%2f..', 'a'.repeat(90)];
    const runs = malformed.map((id) => () => api.call(method, fill(path, id), { body }));
    await expectRefusedAnswers(runs, { details: [{ field: 'id' }] });
  });

  test.each(withBody)('$method $path refuses a body that is not a JSON object', async (route) => {
    const { method, path } = route;
    const url = fill(path, path.includes('turns/:id') ? ids.turnId : ids.conversationId);
    const isParsed = parsed.includes(route);
    const wrong = ['{', '[]', ...(isParsed ? otherWrongBodies : [])];
    const missing = needsNoBody(route) ? [] : ['', 'null'];
    const runs = [
      ...wrong.map((body) => () => api.call(method, url, { body })),
      ...missing.map((body) => () => api.call(method, url, { headers: json, body })),
    ];
    await expectRefusedAnswers(runs, { details: [{ field: 'body' }] });
  });

  test.each(withBody)('$method $path refuses a body that is larger than it takes', async (one) => {
    const { method, path, maxBodyBytes = 1024 * 1024 } = one;
    const body = { message: 'x'.repeat(maxBodyBytes) };
    await expectRefusedAnswers([() => api.call(method, fill(path), { body })], {
      status: 413,
      code: 'PAYLOAD_TOO_LARGE',
    });
  });

  test.each(withBody)('$method $path refuses other content types', async (route) => {
    const { method, path } = route;
    const others = ['application/x-www-form-urlencoded', 'application/xml', 'nonsense'];
    const types = ['text/plain', ...(parsed.includes(route) ? others : [])];
    const runs = types.map(
      (type) => () => api.call(method, fill(path), { body: '{}', headers: { 'content-type': type } }),
    );
    await expectRefusedAnswers(runs, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  });

  test.each(parsed)('$method $path refuses a body that is not in UTF-8', async ({ method, path }) => {
    const url = fill(path, path.includes('turns/:id') ? ids.turnId : ids.conversationId);
    const body = Buffer.from('{"message":"caf\xe9"}', 'latin1');
    await expectRefusedAnswers([() => api.call(method, url, { body, headers: json })], {
      message: 'body: expected text in UTF-8, found bytes that are not',
    });
    const runs = ['latin1', '"iso-8859-1"', 'UTF-16'].map((charset) => () => {
      const headers = { 'content-type': `application/json; charset=${charset}` };
      return api.call(method, url, { body: '{}', headers });
    });
    await expectRefusedAnswers(runs, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  });

  test.each(parsed)('$method $path survives a very deeply nested body', async ({ method, path }) => {
    const url = fill(path, path.includes('turns/:id') ? ids.turnId : ids.conversationId);
    const body = `{"message":${'['.repeat(400_000)}${']'.repeat(400_000)}}`;
    const wide = `[${'0,'.repeat(500_000)}0]`;
    await expectRefusedAnswers([body, wide].map((one) => () => api.call(method, url, { body: one })));
  });

  test.each(routes)('$path answers another method with the methods that it allows', async ({ path }) => {
    const { status, error, headers } = await api.call(toOtherMethod(path), fill(path));
    expect([status, error.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(headers.get('allow')).toMatch(/GET|POST|DELETE/);
  });

  test.each(routes)('$path answers TRACE and QUERY with 405', async ({ path }) => {
    for (const method of ['TRACE', 'QUERY']) {
      // `fetch` refuses to send TRACE.
      const sent = request(api.url + fill(path), { method }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      expect([method, response.statusCode]).toEqual([method, 405]);
      expect(response.headers.allow).toMatch(/GET|POST|DELETE/);
    }
  });
});

describe('a list endpoint', () => {
  /** Expects each value of a query parameter to be refused. */
  const refuseValues = (path: string, field: string, values: readonly string[]) =>
    expectRefusedAnswers(
      values.map((value) => () => api.call('GET', `${fill(path)}?${field}=${value}`)),
      { details: [{ field }] },
    );

  test.each(limited)('$path refuses an invalid limit', async ({ path }) => {
    const values = ['0', 'x', '0x10', '1e1', '%2010', '10.0', '1&limit=2', ''];
    await refuseValues(path, 'limit', values);
  });

  test.each(limited)('$path refuses a number of a page', ({ path }) => refuseValues(path, 'page', ['2']));

  test.each(paged)('$path refuses a page that is too long, and an empty cursor', async ({ path }) => {
    await refuseValues(path, 'limit', ['101']);
    await refuseValues(path, 'cursor', ['']);
  });

  test.each(withIdCursor)('$path refuses a cursor that is no id', ({ path }) =>
    refuseValues(path, 'cursor', ['x']),
  );

  test.each(lists)('$path returns an empty page after an unknown cursor', async ({ path }) => {
    const { status } = await api.call('GET', `${path}?cursor=${newId()}${neededQueries.get(path) ?? ''}`);
    expect(status).toBe(200);
  });

  test('is found by the fields of its query', () => {
    const paths = lists.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['/api/agents', '/api/inbox', '/api/webhooks']));
    expect(limited.length).toBeGreaterThan(paged.length);
    expect(paged.length).toBeGreaterThan(lists.length);
  });
});

test('the parameters that take one of several values name them when they are refused', async () => {
  const id = newId();
  const redirect = await api.call('GET', `/api/connections/${id}/authorize?redirect=yes`);
  expect(redirect.error.message).toBe('redirect: expected one of "true"|"false"');
  for (const groups of ['server', 'tool,', 'tool,day,model', '']) {
    const { error } = await api.call('GET', `/api/analytics/tools?groupBy=${groups}`);
    expect(error.message).toBe('groupBy: expected one or more of tool, agent, day, with commas between them');
  }
  expect((await api.call('GET', '/api/analytics/tools?groupBy=tool,agent,day')).status).toBe(200);
  const { error } = await api.call('GET', '/api/analytics/models?groupBy=model,tool');
  expect(error.message).toBe(
    'groupBy: expected one or more of model, provider, agent, day, kind, with commas between them',
  );
});

describe('a path', () => {
  test.each(['/api', '/api/nothing', '/api//agents', '/api/agents/x/y', '/API/agents'])(
    '%s without an endpoint is answered with 404',
    async (path) => {
      await expectRefusedAnswers([() => api.call('GET', path)], { status: 404, code: 'NOT_FOUND' });
    },
  );

  test('with broken percent-encoding or a part that is too long is refused', async () => {
    for (const id of ['%zz', 'a'.repeat(5000)]) {
      await expectRefusedAnswers([() => api.call('GET', `/api/agents/${id}`)], {
        details: [{ field: 'path' }],
      });
    }
  });

  test('with an invalid version is refused', async () => {
    for (const version of ['0', '-1', '1.5', 'x', '0x1', '99999999999']) {
      const path = `/api/agents/${ids.agentId}/versions/${version}`;
      await expectRefusedAnswers([() => api.call('GET', path)], { details: [{ field: 'version' }] });
    }
    const path = `/api/agents/${ids.agentId}/versions/999`;
    await expectRefusedAnswers([() => api.call('GET', path)], { status: 404, code: 'NOT_FOUND' });
  });
});
