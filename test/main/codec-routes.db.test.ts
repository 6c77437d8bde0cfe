import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type Api } from '../labs/api-lab.ts';
import { shareApi } from '../labs/shared-api.ts';

const ui = 'https://temporal.example.com';
const decodePath = '/api/temporal/codec/decode';
const encodePath = '/api/temporal/codec/encode';

let api: Api;
let plainApi: Api;
beforeAll(async () => {
  api = await startApi({}, { HOLDFAST_ENCRYPT_PAYLOADS: 'true', HOLDFAST_CODEC_ORIGINS: ui });
  plainApi = await shareApi();
});
afterAll(() => Promise.all([api.stop(), plainApi.stop()]));

interface JsonPayload {
  metadata?: Record<string, string>;
  data?: string;
}

function toJson({ metadata, data }: Payload): JsonPayload {
  const entries = Object.entries(metadata ?? {});
  return {
    metadata: Object.fromEntries(
      entries.map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
    ),
    data: Buffer.from(data ?? []).toString('base64'),
  };
}

const plain = [{ message: 'Hello' }, 'text', null].map((value) =>
  toJson(defaultPayloadConverter.toPayload(value)),
);

interface Request {
  of?: Api;
  key?: string | null;
  method?: string;
  headers?: Record<string, string>;
  payloads?: JsonPayload[];
}

/** Asks as the Web UI does, whose answers have no envelope. */
async function ask(path: string, { of = api, key = of.key, method = 'POST', ...request }: Request = {}) {
  const response = await fetch(of.url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-namespace': 'default',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...request.headers,
    },
    ...(method === 'POST' ? { body: JSON.stringify({ payloads: request.payloads ?? plain }) } : {}),
  });
  const text = await response.text();
  const answer = (text === '' ? {} : JSON.parse(text)) as {
    payloads: JsonPayload[];
    error: { code: string; message: string };
  };
  const cors = Object.fromEntries(
    [...response.headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'),
  );
  return { status: response.status, cors, ...answer };
}

describe('the codec', () => {
  test('encrypts payloads, and decrypts them in the same order', async () => {
    const { status, payloads } = await ask(encodePath);
    expect(status).toBe(200);
    expect(JSON.stringify(payloads)).not.toContain(plain[0]?.data);
    const encoding = Buffer.from('binary/encrypted').toString('base64');
    expect(payloads.map(({ metadata }) => metadata?.['encoding'])).toEqual([encoding, encoding, encoding]);
    const [first = {}, ...others] = plain;
    expect((await ask(decodePath, { payloads: [first, ...payloads, ...others] })).payloads).toEqual([
      first,
      ...plain,
      ...others,
    ]);
  });

  test('returns unencrypted payloads unchanged, with unknown fields', async () => {
    const payloads = [{ ...plain[0], externalPayloads: [{ sizeBytes: '7' }] }, {}, { data: '' }];
    expect((await ask(decodePath, { payloads })).payloads).toEqual(payloads);
  });

  test('encrypts nothing while encryption is switched off', async () => {
    const { payloads: marked } = await ask(encodePath, { of: plainApi });
    // Each payload names its installation, and is otherwise unchanged.
    expect(marked).toMatchObject(plain);
  });

  test('names the missing key', async () => {
    const { payloads } = await ask(encodePath);
    const { status, error } = await ask(decodePath, { of: plainApi, payloads });
    expect([status, error.code]).toEqual([503, 'SECRETS_UNAVAILABLE']);
    expect(error.message).toContain('payload cannot be decrypted');
  });

  test.each([
    ['no payloads', {}],
    ['payloads that are no list', { payloads: {} }],
    ['data that are no base64', { payloads: [{ data: 'ä' }] }],
    ['metadata that are no texts', { payloads: [{ metadata: { encoding: 7 } }] }],
  ])('refuses %s', async (_what, body) => {
    const { status, error } = await api.call('POST', decodePath, { body });
    expect([status, error.code]).toEqual([400, 'INVALID_INPUT']);
  });
});

describe('the codec endpoints', () => {
  test('require a key with the scope, which keys do not have by default', async () => {
    const { data } = await api.call('POST', '/api/api-keys', { body: { name: 'plain' } });
    const others = await api.createKey(api.workspaceId, ['conversations:read', 'api_keys:write']);
    for (const path of [decodePath, encodePath]) {
      expect((await ask(path, { key: null })).status).toBe(401);
      for (const key of [data.key, others]) {
        const { status, error } = await ask(path, { key });
        expect([status, error.message]).toEqual([403, 'The API key lacks the scope payloads:read.']);
      }
    }
    const key = await api.createKey(api.workspaceId, ['payloads:read']);
    expect((await ask(decodePath, { key })).status).toBe(200);
  });

  test('are closed to keys that a key without the scope creates', async () => {
    const key = await api.createKey(api.workspaceId, ['api_keys:write']);
    const body = { name: 'more', scopes: ['payloads:read'] };
    expect((await api.call('POST', '/api/api-keys', { key, body })).status).toBe(403);
  });
});

describe('a request of a page of another origin', () => {
  const preflight = (origin: string, of?: Api) =>
    ask(decodePath, {
      ...(of ? { of } : {}),
      method: 'OPTIONS',
      key: null,
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-namespace',
      },
    });
  const allowed = {
    'access-control-allow-origin': ui,
    'access-control-allow-credentials': 'true',
    vary: 'Origin',
  };

  test('is answered when the origin is on the list, and the page can read errors too', async () => {
    const { status, cors } = await preflight(ui);
    expect(status).toBe(204);
    expect(cors).toMatchObject({ ...allowed, 'access-control-allow-methods': 'POST' });
    const named = cors['access-control-allow-headers']?.split(', ');
    expect(named).toEqual(expect.arrayContaining(['authorization', 'content-type', 'x-namespace']));

    const headers = { origin: ui };
    expect(await ask(decodePath, { headers })).toMatchObject({ status: 200, cors: allowed, payloads: plain });
    expect(await ask(decodePath, { headers, key: null })).toMatchObject({ status: 401, cors: allowed });
  });

  test.each([
    'https://evil.example.com',
    'https://temporal.example.com.evil.example',
    'http://temporal.example.com',
    'https://temporal.example.com:8443',
    'https://sub.temporal.example.com',
    'null',
    '*',
  ])('from %s is refused, without CORS headers', async (origin) => {
    const refused = { status: 403, error: { code: 'FORBIDDEN' } };
    for (const answer of [await preflight(origin), await ask(decodePath, { headers: { origin } })]) {
      expect(answer).toMatchObject(refused);
      expect(answer.cors).toEqual({ vary: 'Origin' });
    }
  });

  test('is refused when there is no list, without CORS headers', async () => {
    for (const answer of [
      await preflight(ui, plainApi),
      await ask(decodePath, { of: plainApi, headers: { origin: ui } }),
    ]) {
      expect(answer.status).toBe(403);
      expect(answer.cors).toEqual({});
    }
    expect((await ask(decodePath, { of: plainApi })).cors).toEqual({});
  });

  test('is refused by all other endpoints', async () => {
    const response = await fetch(`${api.url}/api/agents`, { method: 'OPTIONS', headers: { origin: ui } });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});
