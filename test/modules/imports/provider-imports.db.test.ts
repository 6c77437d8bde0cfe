import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import type {
  ImportChanges,
  ImportReport,
  McpServerDraft,
} from '../../../src/modules/imports/provider-import.ts';
import { type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { expectRefusal } from '../../labs/expect-refusal.ts';
import { describeLargeApi, describePetStore } from '../../fixtures/pet-store.ts';
import { startHttpServer } from '../../servers/http-server.ts';

interface Listed {
  name: string;
  source: string;
  version: number | null;
  operationCount: number;
}

interface Imported extends ImportReport {
  stored: boolean;
  provider: (Listed & { baseUrl: string; operations?: unknown }) | null;
  changes: ImportChanges | null;
  mcpServer: McpServerDraft | null;
}

const address = 'https://pets.example/v1';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

/** A workspace of its own, in which a test imports documents. */
async function createWorkspace() {
  const { key } = await api.createWorkspace();
  const call = (method: string, path: string, body?: unknown) => api.call(method, path, { body, key });
  const read = async <Data>(path: string): Promise<Data> => {
    const answer = await call('GET', path);
    expect(answer.error).toBeUndefined();
    return answer.data as Data;
  };
  return {
    call,
    read,
    importIt: (body: JsonObject) => call('POST', '/api/providers/import', body),
    list: async () =>
      (await read<{ providers: Listed[] }>('/api/providers')).providers.filter(
        ({ source }) => source === 'imported',
      ),
    connect: (provider: string) =>
      call('POST', '/api/connections', {
        ...{ name: `To ${provider}`, provider },
        auth: { type: 'bearer', token: 'a-token-of-the-shop' },
      }),
  };
}

test('a document is imported, listed, shown, and offered as tools of a connection', async () => {
  const own = await createWorkspace();
  const document = describePetStore(address);
  const dry = await own.importIt({ name: 'pets', document, dryRun: true });
  expect(dry.status).toBe(200);
  expect(dry.data).toMatchObject({ stored: false, provider: { name: 'pets', version: null }, changes: null });
  expect(await own.list()).toEqual([]);

  const { status, data } = await own.importIt({ name: 'pets', document: JSON.stringify(document) });
  expect(status).toBe(201);
  const imported = data as unknown as Imported;
  expect(imported).toMatchObject({
    stored: true,
    provider: { source: 'imported', version: 1, baseUrl: address, operationCount: 5 },
    warnings: [{ pointer: '/paths/~1pets/post', message: expect.stringContaining('left open') as unknown }],
    warningCount: 1,
  });
  expect(imported.operations[1]).toMatchObject({
    name: 'pets_create',
    effect: 'keyed',
    request: 'POST /pets',
  });
  expect(await own.list()).toMatchObject([{ name: 'pets', source: 'imported', version: 1 }]);
  const found = await own.read<{ providers: Listed[] }>('/api/providers?search=pets_create&category=other');
  expect(found.providers.map(({ name }) => name)).toEqual(['pets']);
  const { provider } = await own.read<{ provider: JsonObject }>('/api/providers/pets');
  expect(provider).toMatchObject({
    setup: expect.stringContaining('documentation of Pet Store') as unknown,
    auth: { types: [{ type: 'bearer' }] },
  });

  const { connection } = (await own.connect('pets')).data;
  const { tools } = await own.read<{ tools: { name: string; inputSchema: JsonObject }[] }>(
    `/api/connections/${connection.id}/mcp-tools`,
  );
  expect(tools.map(({ name }) => name)).toContain('pets_pets_create');
  expect(tools[0]?.inputSchema).toMatchObject({ properties: { tags: { type: 'array' } } });
});

test('another workspace does not see it, and may have its own of the same name', async () => {
  const [own, other] = [await createWorkspace(), await createWorkspace()];
  await own.importIt({ name: 'pets', document: describePetStore(address) });
  expect(await other.list()).toEqual([]);
  expect((await other.call('GET', '/api/providers/pets')).status).toBe(404);
  expect((await other.call('DELETE', '/api/providers/pets')).status).toBe(404);
  const elsewhere = await other.importIt({ name: 'pets', document: describePetStore('https://b.example') });
  expect(elsewhere.status).toBe(201);
  const { provider } = await own.read<{ provider: { baseUrl: string } }>('/api/providers/pets');
  expect(provider.baseUrl).toBe(address);
});

test('a second import is the next version, which says what differs and keeps what agents use', async () => {
  const own = await createWorkspace();
  const document = describePetStore(address);
  await own.importIt({ name: 'pets', document });
  const { connection } = (await own.connect('pets')).data;
  const tool = (name: string) => ({
    ...{ type: 'mcp', name: `pets_${name}`, description: 'A tool', schema: { type: 'object' } },
    config: { connectionId: connection.id, provider: 'pets' },
  });
  const tools = [tool('pets_get'), tool('pets_list')];
  const agent = { name: 'Keeper', model: 'demo', instructions: 'Keep pets.', tools };
  expect((await own.call('POST', '/api/agents', agent)).status).toBe(201);

  const paths = document.paths as Record<string, JsonObject>;
  const changed = structuredClone(paths);
  (changed['/pets']?.get as JsonObject).summary = 'List all pets';
  delete changed['/pets/{pet-id}']?.get;
  const next = { ...document, paths: changed };
  const refused = await own.importIt({ name: 'pets', document: next });
  expect(refused).toMatchObject({
    status: 409,
    error: { code: 'CONFLICT', message: expect.stringContaining('pets_pets_get of Keeper') as unknown },
  });
  const dry = (await own.importIt({ name: 'pets', document: next, dryRun: true }))
    .data as unknown as Imported;
  expect(dry.changes).toMatchObject({ added: [], removed: ['pets_get'], changed: ['pets_list'] });
  expect(dry.changes?.usedBy.map(({ agent: user, tool: name }) => `${user}: ${name}`)).toEqual([
    'Keeper: pets_pets_get',
    'Keeper: pets_pets_list',
  ]);
  expect(dry.warnings[0]?.message).toContain('lacks operations that agents call');
  const forced = await own.importIt({ name: 'pets', document: next, force: true });
  expect([forced.status, forced.data]).toMatchObject([200, { stored: true, provider: { version: 2 } }]);
  const offered = await own.read<{ tools: { name: string; description: string }[] }>(
    `/api/connections/${connection.id}/mcp-tools`,
  );
  expect(offered.tools[0]).toMatchObject({ name: 'pets_pets_list', description: 'List all pets' });
  expect(offered.tools.map(({ name }) => name)).not.toContain('pets_pets_get');
});

test('credentials of connections do not follow a document to another address', async () => {
  const own = await createWorkspace();
  await own.importIt({ name: 'pets', document: describePetStore(address) });
  const { connection } = (await own.connect('pets')).data;
  const elsewhere = { name: 'pets', document: describePetStore('https://evil.example/v1') };
  const refused = await own.importIt({ ...elsewhere, force: true });
  expect(refused.error).toMatchObject({
    code: 'CONFLICT',
    message: expect.stringMatching(/"To pets" would go to a new address: https:\/\/evil\.example/) as unknown,
  });
  expect((await own.call('DELETE', '/api/providers/pets')).error.message).toContain('"To pets"');
  await own.call('DELETE', `/api/connections/${connection.id}`);
  expect((await own.importIt(elsewhere)).status).toBe(200);
  expect((await own.call('DELETE', '/api/providers/pets')).status).toBe(200);
  expect(await own.list()).toEqual([]);
  expect((await own.call('GET', '/api/providers/pets')).status).toBe(404);
  const { auditEvents: events } = await own.read<{ auditEvents: { type: string }[] }>('/api/audit-events');
  expect(events.map(({ type }) => type).filter((type) => type.startsWith('provider.'))).toEqual(
    expect.arrayContaining(['provider.imported', 'provider.deleted']),
  );
});

test('operations at addresses of their own have the variables of the connection', async () => {
  const own = await createWorkspace();
  const document = describePetStore(address);
  const variables = { region: { default: 'eu', enum: ['eu', 'us'] } };
  const paths = document.paths as Record<string, JsonObject>;
  const upload = {
    ...paths['/pets/{pet-id}/photo'],
    servers: [{ url: 'https://up.{region}.pets.example', variables }],
  };
  const servers = [{ url: 'https://{region}.pets.example/v1', variables }];
  const whole = { ...document, servers, paths: { ...paths, '/pets/{pet-id}/photo': upload } };
  expect((await own.importIt({ name: 'pets', document: whole })).status).toBe(201);
  const { connection } = (await own.connect('pets')).data;
  const { tools } = await own.read<{ tools: unknown[] }>(`/api/connections/${connection.id}/mcp-tools`);
  expect(tools).toHaveLength(5);
});

test('a document is read from its address, which its own address may be relative to', async () => {
  const own = await createWorkspace();
  const documents: Record<string, string> = {
    '/docs/pets.yaml': 'openapi: 3.1.0\nservers: [{url: ../v2}]\npaths: {/pets: {get: {operationId: list}}}',
    '/page': '<!doctype html>',
  };
  const server = await startHttpServer(({ url = '' }, response) => {
    response.statusCode = documents[url] === undefined ? 404 : 200;
    response.end(documents[url] ?? '');
  });
  onTestFinished(() => server.close());
  const { status, data } = await own.importIt({ name: 'pets', url: `${server.url}/docs/pets.yaml` });
  expect([status, data]).toMatchObject([201, { provider: { baseUrl: `${server.url}/v2` } }]);
  const missing = await own.importIt({ name: 'pets', url: `${server.url}/none` });
  expect(missing.error.message).toBe('url: cannot be read: its server answered with HTTP 404');
  const page = await own.importIt({ name: 'pets', url: `${server.url}/page` });
  expect(page.error.message).toContain('cannot be imported at the document');
  const inside = await own.importIt({ name: 'pets', url: 'http://169.254.169.254/latest' });
  expect(inside.error.message).toContain('url: cannot be read');
});

test('what cannot be imported is refused with its place, and nothing is stored', async () => {
  const refuse = (body: JsonObject, message: string) =>
    expectRefusal(api, () => api.call('POST', '/api/providers/import', { body }), { message });
  const document = describePetStore(address);
  await refuse({ name: 'pets' }, 'document: expected either document or url');
  await refuse(
    { name: 'slack', document },
    'name: "slack" is the name of a provider of the catalogue; give another name',
  );
  await refuse(
    { name: 'mcp', document },
    'name: "mcp" is the name of a provider of the catalogue; give another name',
  );
  await refuse(
    { document: { ...document, paths: { '/a': { get: { parameters: [{}] } } } } },
    'document: cannot be imported at /paths/~1a/get/parameters/0: a parameter has no name or no place',
  );
  await refuse(
    { document: 'a: [1' },
    'document: cannot be imported at the document: it is neither JSON nor YAML: unexpected end of the stream within a ' +
      'flow collection (line 2, column 1)',
  );
  await refuse(
    { document, operations: ['pets/none'] },
    'operations.0: the document has no operation "pets/none"',
  );
});

test('a large document takes no time from other requests', async () => {
  const own = await createWorkspace();
  const document = JSON.stringify(describeLargeApi(2_000));
  const ends: string[] = [];
  const importing = own.importIt({ name: 'large', document }).finally(() => ends.push('import'));
  while (!ends.includes('import')) {
    expect((await api.call('GET', '/health/live', { key: null })).status).toBe(200);
    ends.push('request');
  }
  const { status, data } = await importing;
  expect([status, data]).toMatchObject([201, { provider: { operationCount: 2_000 } }]);
  expect(ends[0]).toBe('request');
});

test('a server.json is answered with the draft of a connection', async () => {
  const own = await createWorkspace();
  const remote = {
    type: 'streamable-http',
    url: 'https://{host}/mcp',
    headers: [
      {
        ...{ name: 'Authorization', value: 'Bearer {token}', isRequired: true, isSecret: true },
        variables: { token: { description: 'A token of the weather', isSecret: true } },
      },
    ],
    variables: { host: { description: 'The host', default: 'weather.example' } },
  };
  const server = {
    name: 'io.github.user/weather',
    title: 'Weather',
    description: 'Tells it.',
    version: '1.2.3',
  };
  const { status, data } = await own.importIt({ document: { ...server, remotes: [remote] } });
  expect(status).toBe(200);
  const { mcpServer, stored, provider } = data as unknown as Imported;
  expect({ stored, provider }).toEqual({ stored: false, provider: null });
  expect(mcpServer).toMatchObject({
    ...server,
    connection: {
      name: 'Weather',
      provider: 'mcp',
      endpoint: 'https://{host}/mcp',
      auth: { type: 'bearer' },
    },
    fields: [
      { name: 'host', place: 'endpoint', default: 'weather.example', required: true, secret: false },
      { name: 'token', place: 'auth', description: 'A token of the weather', required: true, secret: true },
    ],
  });
  const connection = { ...mcpServer?.connection, endpoint: 'https://weather.example/mcp' };
  const created = await own.call('POST', '/api/connections', {
    ...connection,
    auth: { ...mcpServer?.connection.auth, token: 'sunshine' },
  });
  expect(created.status).toBe(201);

  const refuse = async (parts: JsonObject) =>
    (await own.importIt({ document: { ...server, ...parts } })).error.message;
  const packages = [{ registryType: 'npm', identifier: 'weather', transport: { type: 'stdio' } }];
  expect(await refuse({ packages })).toContain('/packages: the server only runs as a package (npm)');
  expect(await refuse({ remotes: [{ type: 'sse', url: 'https://a.example' }] })).toContain('found "sse"');
  const headers = ['X-A', 'X-B'].map((name) => ({ name, isRequired: true }));
  expect(await refuse({ remotes: [{ ...remote, headers }] })).toContain('needs the headers X-A, X-B');
  expect(await refuse({ name: 'weather', remotes: [remote] })).toContain('at /name');
});
