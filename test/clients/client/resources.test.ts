import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import {
  createHoldfastClient,
  type Agent,
  type HoldfastClient,
  type Page,
  type StreamChunk,
} from '../../../src/clients/client/index.ts';
import type { StreamChunk as ServedChunk } from '../../../src/domain/event.ts';
import { operations } from '../../../src/clients/client/generated/operations.ts';
import type { Operation } from '../../../src/clients/client/operation-request.ts';
import { resourceTree } from '../../../src/clients/client/generated/resource-tree.ts';
import {
  answerWith,
  badGateway,
  dropSocket,
  failWith,
  quickRetry,
  startScriptedApi,
  type Script,
} from '../../servers/scripted-api.ts';
import { agentId } from '../../servers/scripted-events.ts';

type OperationId = keyof typeof operations;

/** Operations that are not in the tree, and why. */
const elsewhere: Partial<Record<OperationId, string>> = {
  createTurn: 'turns.start',
  exportRecordings: 'recordings.export',
  importRecordings: 'recordings.import',
  streamChanges: 'changes.follow',
  streamReplayEvents: 'replays.follow',
  cancelTurn: 'turns.cancel',
  getLiveness: 'the same as health.live, without /api',
  getReadiness: 'the same as health.ready, without /api',
};

interface Branch {
  [name: string]: OperationId | Branch;
}

/** The functions of the tree, each with its path of names. */
function listLeaves(branch: Branch, names: string[] = []): { id: OperationId; names: string[] }[] {
  return Object.entries(branch).flatMap(([name, part]) =>
    typeof part === 'string' ? [{ id: part, names: [...names, name] }] : listLeaves(part, [...names, name]),
  );
}

const leaves = listLeaves(resourceTree);

function findFunction(client: HoldfastClient, names: string[]) {
  const found = names.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], client);
  return found as (...given: unknown[]) => Promise<unknown>;
}

async function startClient(script: Script) {
  const api = await startScriptedApi(script);
  return { api, client: createHoldfastClient(api) };
}

describe('the resources of the client', () => {
  it('cover every operation of the OpenAPI document once', () => {
    const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const documented = Object.values(paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    const reachable = [...leaves.map(({ id }) => id), ...Object.keys(elsewhere)];
    expect(reachable.sort()).toEqual(documented.sort());
  });

  it.each(leaves)('send $id as $names', async ({ id, names }) => {
    const { path, body, method = body ? 'POST' : 'GET' }: Operation = operations[id];
    const parameters = [...path.matchAll(/\{\w+\}/g)].map((_match, index) => `id ${index}`);
    const sent = parameters.reduce<string>(
      (text, value) => text.replace(/\{\w+\}/, encodeURIComponent(value)),
      path,
    );
    const { api, client } = await startClient({ [`${method} ${sent}`]: answerWith({}) });
    await findFunction(client, names)(...parameters).catch(() => undefined);
    expect(api.requests.map((request) => `${request.method} ${request.path}`)).toEqual([`${method} ${sent}`]);
  });
});

describe('a function of a resource', () => {
  it('sends a fork again with the same key when no answer comes, and another key with the next call', async () => {
    const route = 'POST /api/conversations/c/fork';
    const forked = answerWith({ turn: null });
    const api = await startScriptedApi({ [route]: [dropSocket(), badGateway(502), forked, forked, forked] });
    const client = createHoldfastClient({ ...api, retry: quickRetry });
    await client.conversations.fork('c', { turnId: 't' });
    await client.conversations.fork('c', { turnId: 't' });
    await client.conversations.fork('c', { turnId: 't' }, { idempotencyKey: 'fork-17' });

    const keys = api.to(route).map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(5);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[3]).not.toBe(keys[0]);
    expect(keys[4]).toBe('fork-17');
  });

  it('takes path parameters, then body, query and options', async () => {
    const { api, client } = await startClient({
      'PATCH /api/agents/a/tools/t': answerWith({ tool: {}, agent: {} }),
      'GET /api/audit-events': answerWith({ auditEvents: [], nextCursor: null }),
    });
    const change = { effect: 'read_only' } as const;
    await client.agents.tools.update('a', 't', change);
    await client.auditEvents.list({ limit: 3, type: undefined }, { timeoutMs: 5000 });
    expect(api.requests.map(({ body }) => body)).toEqual([change, undefined]);
    expect(api.requests[1]?.query).toEqual({ limit: '3' });
  });

  it('returns a single value, a page, several values or nothing', async () => {
    const agent = { id: agentId };
    const { client } = await startClient({
      'GET /api/agents/a': answerWith({ agent }),
      'GET /api/agents': answerWith({ agents: [agent], nextCursor: 'next' }),
      'GET /api/agents/a/tools/t': answerWith({ tool: {}, state: {}, inner: [] }),
      'DELETE /api/agents/a/tools/t': answerWith({ deleted: true, agent }),
      'DELETE /api/agents/a': answerWith({ deleted: true }),
      'GET /api/functions': answerWith({ functions: [] }),
    });
    await expect(client.agents.get('a')).resolves.toEqual(agent);
    await expect(client.agents.list()).resolves.toEqual({ items: [agent], nextCursor: 'next' });
    await expect(client.agents.tools.get('a', 't')).resolves.toEqual({ tool: {}, state: {}, inner: [] });
    await expect(client.agents.tools.remove('a', 't')).resolves.toEqual(agent);
    await expect(client.agents.delete('a')).resolves.toBeUndefined();
    await expect(client.functions.list()).resolves.toEqual([]);
  });

  it('has the type of the value that it returns', () => {
    type Agents = HoldfastClient['agents'];
    expectTypeOf<Agents['get']>().returns.resolves.toEqualTypeOf<Agent>();
    expectTypeOf<Agents['list']>().returns.resolves.toEqualTypeOf<Page<Agent>>();
    expectTypeOf<Agents['tools']['remove']>().returns.resolves.toEqualTypeOf<Agent>();
    expectTypeOf<Agents['delete']>().returns.resolves.toBeVoid();
    expectTypeOf<HoldfastClient['blobs']['get']>().returns.resolves.toExtend<Blob>();
    expectTypeOf<HoldfastClient['connections']['authorize']>().returns.resolves.toEqualTypeOf<string>();
    expectTypeOf<StreamChunk>().toEqualTypeOf<ServedChunk>();
  });

  it.each(['live', 'ready'] as const)(
    'asks for health.%s once, since a repeated check would hide a 503',
    async (name) => {
      const error = { code: 'SERVICE_UNAVAILABLE', message: 'Not ready.' };
      const { api, client } = await startClient({ [`GET /api/health/${name}`]: failWith(503, error) });
      await expect(client.health[name]()).rejects.toMatchObject({ status: 503 });
      expect(api.requests).toHaveLength(1);
    },
  );

  it.each(['', '.', '..', undefined])(
    'refuses the id %j, which would change the path of the request',
    async (id) => {
      const { api, client } = await startClient({});
      await expect(client.agents.delete(id as string)).rejects.toThrow('expected an id or a name');
      expect(api.requests).toEqual([]);
    },
  );

  it('stops when its time limit is over or its caller aborts', async () => {
    const { client } = await startClient({ 'POST /api/agents/a/provision': () => undefined });
    await expect(client.agents.provision('a', {}, { timeoutMs: 20 })).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
    });
    const enough = AbortSignal.abort(new Error('enough'));
    await expect(client.agents.provision('a', {}, { signal: enough })).rejects.toThrow('enough');
  });
});

describe('files', () => {
  it('have more time than other requests, unless the caller has set one', async () => {
    const { client } = await startClient({
      'POST /api/files': answerWith({ file: {} }),
      'GET /api/files/f/content': (response) => void response.end('text'),
      'GET /api/files/f': answerWith({ file: {} }),
    });
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    onTestFinished(() => timeout.mockRestore());
    await client.files.create({ file: new File(['text'], 'a.txt') });
    await client.files.content('f');
    await client.files.get('f');
    await client.files.content('f', { timeoutMs: 7 * 60_000 });
    // Shorter limits may be those of requests that other tests of this process have left running.
    const longer = timeout.mock.calls.map(([timeMs]) => timeMs).filter((timeMs) => timeMs > 30_000);
    expect(longer).toEqual([300_000, 300_000, 420_000]);
  });

  it('are uploaded as multipart forms', async () => {
    const route = 'POST /api/knowledge-bases/kb/documents';
    const { api, client } = await startClient({ [route]: answerWith({ document: { id: 'one' } }, 202) });
    const file = new File(['# Leave\n'], 'handbook.md', { type: 'text/markdown' });
    await expect(client.knowledgeBases.documents.create('kb', { file })).resolves.toEqual({ id: 'one' });
    const [request] = api.to(route);
    expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(request?.text).toContain('name="file"; filename="handbook.md"');
    expect(request?.text).toContain('# Leave\n');
  });

  it('are read with their media type', async () => {
    const { client } = await startClient({
      'GET /api/blobs/b': (response) =>
        void response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.of(137, 80)),
    });
    const blob = await client.blobs.get('b');
    expect(blob.type).toBe('image/png');
    expect([...new Uint8Array(await blob.arrayBuffer())]).toEqual([137, 80]);
  });
});

it('an answer without an envelope is returned as it is', async () => {
  const payloads = [{ metadata: {}, data: 'e30=' }];
  const { client } = await startClient({
    'POST /api/temporal/codec/decode': (response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ payloads })),
  });
  await expect(client.codec.decode({ payloads })).resolves.toEqual({ payloads });
});
