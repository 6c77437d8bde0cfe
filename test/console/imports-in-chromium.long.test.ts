import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Api } from '../labs/api-lab.ts';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { shareApi } from '../labs/shared-api.ts';
import { startScriptedServer, textResult } from '../servers/mcp-servers.ts';

const hostile = '<img src=x onerror="window.ran = true">';

let lab: ConsoleLab;
let api: Api;

beforeAll(async () => {
  lab = await startConsole();
  api = await shareApi();
});
afterAll(() => lab.stop());

const petStore = {
  openapi: '3.1.0',
  info: { title: `Pets ${hostile}`, version: '1', description: hostile },
  servers: [{ url: 'https://pets.example/v1' }],
  security: [{ token: [] }],
  paths: {
    '/pets': {
      get: { operationId: 'listPets', summary: hostile },
      post: { operationId: 'addPet', summary: 'Add a pet.' },
    },
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'session', in: 'cookie', required: true, schema: { type: 'string' } },
        ],
      },
    },
    '/search': { post: { operationId: 'searchPets', summary: 'Search pets.' } },
  },
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
};

describe('an import', () => {
  const file = (name: string, document: object) => ({
    ...{ name, mimeType: 'application/json' },
    buffer: Buffer.from(JSON.stringify(document)),
  });

  test('shows what a document has, imports what is chosen, and deletes it after its connections', async () => {
    const page = await lab.open(api, '/connections/import');
    await page.locator('input[type=file]').setInputFiles(file(`${hostile}.json`, petStore));
    await page.getByLabel('Name').fill('pets');
    await page.getByRole('button', { name: 'See what it has' }).click();
    await page.getByText('the operation is left out: it needs the cookie "session"').waitFor();
    await expectNoBarriers(page);
    await page.getByRole('checkbox', { name: 'Choose addPet' }).uncheck();
    await page.getByLabel('Effect of searchPets').selectOption('read_only');
    await page.getByRole('button', { name: 'Import 2 operations' }).click();
    await page.getByRole('heading', { name: 'Operations (2)' }).waitFor();
    await expectNoBarriers(page);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    await expect(readEffects('pets')).resolves.toEqual({
      pets_listPets: 'read_only',
      pets_searchPets: 'read_only',
    });

    const body = { name: 'Our pets', provider: 'pets', auth: { type: 'bearer', token: 'a-token' } };
    const { data } = await api.call('POST', '/api/connections', { body });
    await page.reload();
    await page.getByText('It can be deleted after its connections.').waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await api.call('DELETE', `/api/connections/${data.connection.id}`);
    await page.reload();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor();
    expect((await api.call('GET', '/api/providers/pets')).status).toBe(404);
  });

  test('names the place of a mistake in a document', async () => {
    const page = await lab.open(api, '/connections/import', { expected: ['400'] });
    await page.getByLabel('Given as').selectOption('text');
    await page.getByLabel('Text').fill('{ "openapi": "3.1.0", "info": { "title": "None" }, "paths": 7 }');
    await page.getByRole('button', { name: 'See what it has' }).click();
    await page.getByRole('alert').getByText('/paths').waitFor();
    await expectNoBarriers(page);
  });

  test('connects to an MCP server by its file of the MCP registry', async () => {
    const server = await startScriptedServer({ echo: () => textResult('hello') });
    onTestFinished(() => server.close());
    const document = {
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      ...{ name: 'io.github.acme/echo', description: 'Echoes.', version: '1.0.0', title: 'Echo' },
      remotes: [
        {
          ...{ type: 'streamable-http', url: server.url },
          headers: [{ name: 'Authorization', value: 'Bearer {token}', isRequired: true, isSecret: true }],
        },
      ],
    };
    const page = await lab.open(api, '/connections/import');
    await page.locator('input[type=file]').setInputFiles(file('server.json', document));
    await page.getByRole('button', { name: 'See what it has' }).click();
    await page.getByText('io.github.acme/echo').waitFor();
    await page.getByLabel('token').fill('a-token-of-the-registry');
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('Connected; the server offers 1 tool.').waitFor();
    expect(server.lastHeaders()['authorization']).toBe('Bearer a-token-of-the-registry');
  });

  async function readEffects(name: string): Promise<Record<string, string>> {
    const { data } = await api.call('GET', `/api/providers/${name}`);
    const { operations } = (
      data as unknown as { provider: { operations: { name: string; effect: string }[] } }
    ).provider;
    return Object.fromEntries(operations.map((operation) => [operation.name, operation.effect]));
  }
});
