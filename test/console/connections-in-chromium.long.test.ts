import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Api } from '../labs/api-lab.ts';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { shareApi } from '../labs/shared-api.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../servers/mcp-servers.ts';

const hostile = '<img src=x onerror="window.ran = true">';

let lab: ConsoleLab;
let api: Api;
let server: ScriptedServer;

beforeAll(async () => {
  lab = await startConsole();
  [api, server] = await Promise.all([
    shareApi(),
    startScriptedServer(
      { echo: () => textResult('hello'), note: () => textResult('noted') },
      { definitions: { echo: { description: hostile } } },
    ),
  ]);
});
afterAll(async () => {
  await lab.stop();
  await server.close();
});

/** Creates a connection as another program does. */
async function connect(body: object): Promise<string> {
  const { status, data } = await api.call('POST', '/api/connections', { body });
  expect(status).toBe(201);
  return data.connection.id;
}

const toMcp = (name: string) => ({ name, provider: 'mcp', endpoint: server.url });

describe('the list of connections', () => {
  test('creates a connection to an MCP server by keyboard alone, and shows its test and its tools', async () => {
    const page = await lab.open(api, '/connections/new?kind=mcp');
    await page.getByLabel('Endpoint').waitFor();
    await expectNoBarriers(page);
    await page.getByLabel('Name').focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Tab');
    await page.keyboard.type(server.url);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'By keyboard' }).waitFor();
    await page.getByText('Connected; the server offers 2 tools.').waitFor();
    await page.getByRole('button', { name: 'echo' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'echo' }).getByText('onerror').waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectNoBarriers(page);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    await page.getByRole('link', { name: 'Connections' }).click();
    const row = page.getByRole('row', { name: 'By keyboard' });
    await row.getByText('succeeded').waitFor();
    await expectNoBarriers(page);
  });

  test('takes the fields that a provider needs, and names those that are refused', async () => {
    const page = await lab.open(api, '/connections?tab=providers&search=jira', { expected: ['400'] });
    await page.getByRole('link', { name: 'Connect Jira' }).click();
    await page.getByLabel('Name').fill('Tickets: ours');
    await page.getByLabel(/first part of the address/).fill('acme');
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByLabel('API token').fill('secret-token-of-ada');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
    await expectNoBarriers(page);
    const { data } = await api.call('GET', '/api/connections?provider=jira');
    expect(data.connections).toEqual([]);
  });

  test('chooses among the providers by what stands in the address', async () => {
    const page = await lab.open(api, '/connections?tab=providers');
    await page.getByRole('link', { name: 'Airtable', exact: true }).waitFor();
    await expectNoBarriers(page);
    await page.getByLabel('Category').selectOption('payments');
    await page.getByRole('link', { name: 'Airtable', exact: true }).waitFor({ state: 'detached' });
    await page.getByLabel('Search').fill('stripe');
    await page.getByRole('link', { name: 'Stripe', exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?tab=providers&search=stripe&category=payments');
    await page.getByRole('link', { name: 'Stripe', exact: true }).click();
    await page.getByRole('heading', { name: /^Operations/ }).waitFor();
    await expectNoBarriers(page);
  });
});

describe('one connection', () => {
  test('is changed, gets new credentials, is revoked and deleted, each with its consequences', async () => {
    const id = await connect({ ...toMcp('Old name'), auth: { type: 'bearer', token: 'first-secret-token' } });
    const tool = {
      ...{ type: 'mcp', name: 'echo', description: 'Echoes.', schema: { type: 'object' } },
      config: { connectionId: id, provider: 'mcp' },
    };
    const agent = { name: 'Uses it', model: 'demo', instructions: 'Echo.', tools: [tool] };
    expect((await api.call('POST', '/api/agents', { body: agent })).status).toBe(201);
    const page = await lab.open(api, `/connections/${id}`);
    await page.getByRole('button', { name: 'Change …' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('New name');
    await page.getByLabel('Requests a minute').fill('30');
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'New name', exact: true }).waitFor();
    await page.getByText('30 requests a minute').waitFor();
    await page.getByRole('button', { name: 'New credentials …' }).click();
    await page.getByRole('dialog').getByLabel('Token').fill('second-secret-of-2222');
    await page.getByRole('button', { name: 'Replace' }).click();
    await page.getByText('…2222').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain('second-secret');
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByText('Agents that use it: Uses it.').waitFor();
    await expectNoBarriers(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('It was revoked').waitFor();
    expect(await page.getByRole('button', { name: 'Test it' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'New name' }).waitFor({ state: 'detached' });
    expect((await api.call('GET', `/api/connections/${id}`)).status).toBe(404);
  });

  test('of a connector is deleted with the connector alone', async () => {
    const page = await lab.open(api, '/connections?tab=connectors');
    await page.getByRole('button', { name: 'New connector …' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('desk');
    await dialog.getByLabel('Endpoint').fill(server.url);
    await dialog.getByLabel('Tools').fill('echo note');
    await expectNoBarriers(page);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('row', { name: /desk.*echo, note/ }).waitFor();
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'desk' }).click();
    await page.getByText('Belongs to the connector desk').waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await page.getByText('Belongs to the connector desk').click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There is no connector yet').waitFor();
  });
});

describe('people', () => {
  test('who may only read see no button that would be refused', async () => {
    const id = await connect(toMcp('Read only'));
    const refused: string[] = [];
    const key = await api.createKey(api.workspaceId, ['connections:read']);
    const page = await lab.open({ url: api.url, key }, `/connections/${id}`);
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await page.getByRole('button', { name: 'echo' }).waitFor();
    const listButtons = () => page.getByRole('main').getByRole('button').allTextContents();
    expect(await listButtons()).toEqual(['echo', 'note']);
    await page.getByRole('link', { name: 'Connections' }).click();
    await page.getByRole('link', { name: 'Read only' }).waitFor();
    expect(await listButtons()).toEqual([]);
    await page.getByRole('link', { name: 'Providers' }).click();
    await page.getByRole('link', { name: 'Airtable', exact: true }).click();
    await page.getByRole('heading', { name: /^Operations/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Connect …' }).count()).toBe(0);
    expect(refused).toEqual([]);
  });

  test('of another workspace get nothing, and people without the right no screen', async () => {
    const id = await connect(toMcp('Ours'));
    const other = await api.createWorkspace();
    const page = await lab.open({ url: api.url, key: other.key }, `/connections/${id}`, {
      expected: ['404'],
    });
    await page.getByRole('alert').waitFor();
    await page.getByRole('link', { name: 'Connections' }).click();
    await page.getByText('There is no connection yet').waitFor();
    const key = await api.createKey(api.workspaceId, ['agents:read']);
    const blind = await lab.open({ url: api.url, key }, '/connections');
    await blind.getByText('There is no page at this address').waitFor();
    expect(await blind.getByRole('link', { name: 'Connections' }).count()).toBe(0);
  });

  test('see names with script as texts, on a narrow page too', async () => {
    const id = await connect({
      ...toMcp(hostile),
      auth: { type: 'basic', username: hostile, password: 'secret' },
    });
    const page = await lab.open(api, `/connections/${id}`, { viewport: { width: 390, height: 844 } });
    await page.getByRole('heading', { name: hostile }).waitFor();
    await expectNoBarriers(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.goto(`${api.url}/connections`);
    await page.getByRole('link', { name: hostile }).waitFor();
    await expectNoBarriers(page);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    onTestFinished(() => void api.call('DELETE', `/api/connections/${id}`));
  });
});
