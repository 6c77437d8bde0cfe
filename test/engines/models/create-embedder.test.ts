import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkEmbeddingModelName, createEmbedder } from '../../../src/engines/models/create-embedder.ts';
import { toWordVector, startEmbeddingServer, type EmbeddingServer } from '../../servers/embedding-server.ts';

let server: EmbeddingServer;
beforeAll(async () => {
  server = await startEmbeddingServer();
});
beforeEach(() => {
  server.intercept(null);
  server.requests.length = 0;
});
afterAll(() => server.close());

const request = { workspaceId: 'workspace', model: 'compatible/words', connectionId: null };
const { signal } = new AbortController();

test('texts are embedded by the real client, one vector each in their order', async () => {
  const texts = ['The cat sleeps.', 'The car drives.'];
  const run = createEmbedder({ compatible: { baseUrl: server.baseUrl } });
  expect(await run(request, texts, signal)).toEqual({ vectors: texts.map(toWordVector), tokens: 2 });
  expect(server.requests).toMatchObject([{ model: 'words', texts }]);
});

test('texts whose tokens a server does not report are counted by their length', async () => {
  const data = [{ object: 'embedding', index: 0, embedding: [1, 0] }];
  server.intercept(() => Promise.resolve({ status: 200, body: { object: 'list', model: 'words', data } }));
  const run = createEmbedder({ compatible: { baseUrl: server.baseUrl } });
  expect(await run(request, ['a'.repeat(400)], signal)).toMatchObject({ tokens: 100 });
});

test('the key and address of a connection replace those of the operator', async () => {
  const opened: unknown[] = [];
  const run = createEmbedder(
    { openai: { apiKey: 'operator-key-1', baseUrl: 'http://127.0.0.1:9/v1' } },
    {
      open: (connection) => {
        opened.push(connection);
        return Promise.resolve({ apiKey: 'tenant-key-2', baseUrl: server.baseUrl });
      },
      fetch,
    },
  );
  await run(
    { workspaceId: 'w', model: 'openai/text-embedding-3-small', connectionId: 'c' },
    ['Text.'],
    signal,
  );
  expect(opened).toEqual([{ workspaceId: 'w', connectionId: 'c', provider: 'openai' }]);
  expect(server.requests[0]?.headers.authorization).toBe('Bearer tenant-key-2');
});

test('a failure to embed is a HoldfastError without the key', async () => {
  server.intercept(() =>
    Promise.resolve({
      status: 429,
      body: { error: { message: 'Slow down, operator-key-1', code: 'rate_limit_exceeded' } },
    }),
  );
  const run = createEmbedder({ compatible: { baseUrl: server.baseUrl, apiKey: 'operator-key-1' } });
  const failure = (await run(request, ['Text.'], signal).catch((error: unknown) => error)) as Error;
  expect(failure).toMatchObject({ code: 'MODEL_RATE_LIMITED', retryable: true });
  expect(failure.message).not.toContain('operator-key-1');
  expect(server.requests).toHaveLength(1);
});

test('an answer that is larger than any embeddings is not read to its end', async () => {
  const body = { filling: 'x'.repeat(40 * 1024 * 1024) };
  server.intercept(() => Promise.resolve({ status: 200, body }));
  const run = createEmbedder({ compatible: { baseUrl: server.baseUrl } });
  await expect(run(request, ['Text.'], signal)).rejects.toThrow('gave no complete answer');
});

test('embedding stops when its signal aborts', async () => {
  server.intercept(() => new Promise(() => undefined));
  const stop = new AbortController();
  const running = createEmbedder({ compatible: { baseUrl: server.baseUrl } })(
    request,
    ['Text.'],
    stop.signal,
  );
  stop.abort(new Error('stopped'));
  await expect(running).rejects.toThrow('stopped');
});

test.each([
  ['compatible/words', null],
  ['openai/text-embedding-3-small', null],
  ['google/gemini-embedding-001', null],
  ['anthropic/claude', 'Expected an embedding model named openai/…, google/…, compatible/…'],
  ['demo', 'Expected an embedding model'],
  ['openai/', 'Expected the name of a model after'],
])('the name %s is checked', (name, problem) => {
  const found = checkEmbeddingModelName({ compatible: { baseUrl: server.baseUrl } }, name, {
    hasConnection: false,
  });
  if (problem === null) expect(found).toBeNull();
  else expect(found).toContain(problem);
});

test('a compatible embedding model requires an address, from the operator or from a connection', () => {
  expect(checkEmbeddingModelName({}, 'compatible/words', { hasConnection: false })).toContain('address');
  expect(checkEmbeddingModelName({}, 'compatible/words', { hasConnection: true })).toBeNull();
});
