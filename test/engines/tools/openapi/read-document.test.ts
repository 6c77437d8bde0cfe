import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createGuardedFetch } from '../../../../src/platform/egress/guarded-fetch.ts';
import type { RequestCredentials } from '../../../../src/domain/request-credentials.ts';
import {
  createOpenApiReader,
  mostDocumentBytes,
  parseOpenApi,
} from '../../../../src/engines/tools/openapi/read-document.ts';
import { startHttpServer } from '../../../servers/http-server.ts';

const publicly: RequestCredentials = { secrets: {} };
const privately: RequestCredentials = { secrets: {}, bearer: { token: 'one' } };

interface Sent {
  path: string;
  condition: string | undefined;
}

/** A reader with a clock of its own, and a server whose documents have the number of the request that they answer. */
async function openReader(answer: (response: ServerResponse, sent: Sent[]) => boolean) {
  const sent: Sent[] = [];
  const clock = { now: 0 };
  const server = await startHttpServer((request, response) => {
    sent.push({ path: request.url ?? '', condition: request.headers['if-none-match'] });
    if (answer(response, sent)) response.end(JSON.stringify({ openapi: '3.1.0', number: sent.length }));
  });
  onTestFinished(() => server.close());
  const fetch = createGuardedFetch({ allowLoopback: true });
  onTestFinished(() => fetch.close());
  const readDocument = createOpenApiReader({ fetch, services: {}, now: () => clock.now });
  const read = async (
    more: { path?: string; workspaceId?: string; credentials?: RequestCredentials } = {},
  ) => {
    const { path = '/api', workspaceId = 'one', credentials = publicly } = more;
    const { signal } = new AbortController();
    return (await readDocument({ workspaceId, url: `${server.url}${path}`, credentials, signal })).number;
  };
  return { sent, clock, read };
}

/** Answers 304 to a request with the condition. */
function answerWithTag(response: ServerResponse, sent: Sent[]): boolean {
  response.setHeader('etag', '"first"');
  if (sent.at(-1)?.condition !== '"first"') return true;
  response.removeHeader('etag');
  response.writeHead(304).end();
  return false;
}

test('a document is read once for 30 seconds, for each workspace and address', async () => {
  const { read, clock, sent } = await openReader(() => true);
  expect([await read(), await read()]).toEqual([1, 1]);
  expect([await read({ workspaceId: 'two' }), await read({ path: '/other' })]).toEqual([2, 3]);
  clock.now = 30_000;
  expect(await read()).toBe(4);
  expect(sent).toHaveLength(4);
});

test('a server that says how to ask is asked whether the document has changed', async () => {
  const { read, clock, sent } = await openReader(answerWithTag);
  await read();
  clock.now = 30_000;
  expect([await read(), await read()]).toEqual([1, 1]);
  clock.now = 60_000;
  expect(await read()).toBe(1);
  expect(sent.map(({ condition }) => condition)).toEqual([undefined, '"first"', '"first"']);
});

test('a document that was read with credentials is asked for each time', async () => {
  const { read, sent } = await openReader(answerWithTag);
  expect([await read({ credentials: privately }), await read({ credentials: privately })]).toEqual([1, 1]);
  expect(await read()).toBe(1);
  expect(sent.map(({ condition }) => condition)).toEqual([undefined, '"first"', '"first"']);
  const plain = await openReader(() => true);
  expect(await plain.read({ credentials: privately })).toBe(1);
  expect(await plain.read({ credentials: privately })).toBe(2);
});

test('a server that refuses a request is not overruled by what was read before', async () => {
  const { read, clock } = await openReader((response, { length }) => {
    response.setHeader('etag', '"first"');
    if (length > 1) response.statusCode = 403;
    return true;
  });
  await read();
  clock.now = 30_000;
  await expect(read()).rejects.toMatchObject({ problem: { title: 'HTTP 403' } });
});

test.each([
  ['no-store', [1, 2]],
  ['no-cache', [1, 2]],
  ['max-age=5', [1, 1]],
])('a server that says %s gets its way', async (control, numbers) => {
  const { read } = await openReader((response) => {
    response.setHeader('cache-control', control);
    return true;
  });
  expect([await read(), await read()]).toEqual(numbers);
});

test('documents that are large together are not all kept', async () => {
  const { read, sent } = await openReader((response) => {
    response.end(JSON.stringify({ openapi: '3.1.0', text: 'x'.repeat(900_000) }));
    return false;
  });
  for (let index = 0; index < 20; index += 1) await read({ path: `/${index}` });
  await read({ path: '/19' });
  expect(sent).toHaveLength(20);
  await read({ path: '/0' });
  expect(sent).toHaveLength(21);
});

test('a document is JSON or YAML, and YAML neither grows nor is long', () => {
  expect(parseOpenApi('{"a": 1}')).toEqual({ a: 1 });
  expect(parseOpenApi('a: 1')).toEqual({ a: 1 });
  const bomb = `a: &a [x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c]`;
  expect(() => parseOpenApi(bomb)).toThrow('aliases repeat it');
  expect(() => parseOpenApi('a: 1\n'.padEnd(mostDocumentBytes.yaml + 1, '#'))).toThrow('as YAML');
});
