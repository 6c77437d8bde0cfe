import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../labs/api-lab.ts';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { eventually } from '../labs/eventually.ts';
import { shareApi } from '../labs/shared-api.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../servers/mcp-servers.ts';
import { pageClient, startOpenIdProvider } from '../servers/openid-provider.ts';

let lab: ConsoleLab;
let api: Api;
let server: ScriptedServer;
let provider: Awaited<ReturnType<typeof startOpenIdProvider>>;

beforeAll(async () => {
  lab = await startConsole();
  [api, server, provider] = await Promise.all([
    shareApi(),
    startScriptedServer({ echo: () => textResult('hello') }),
    startOpenIdProvider(() => ({})),
  ]);
});
afterAll(async () => {
  await lab.stop();
  await server.close();
  await provider.close();
});

/** Creates a connection to the MCP server that waits for a consent at an authorization server. */
async function connect(name: string, issuer = provider.issuer): Promise<string> {
  const auth = { type: 'oauth2_authorization_code', issuer, clientId: pageClient.clientId };
  const { status, data } = await api.call('POST', '/api/connections', {
    body: { name, provider: 'mcp', endpoint: server.url, auth: { ...auth, scopes: ['openid', 'api'] } },
  });
  expect(status).toBe(201);
  return data.connection.id;
}

/** Signs a person in at the provider in a window, agrees there, and presses a button on the page of Holdfast. */
async function answer(window: Page, button: 'Connect' | 'Do not connect'): Promise<void> {
  await window.fill('input[name=login]', 'ada');
  await window.fill('input[name=password]', 'any');
  await window.click('button[type=submit]');
  await window.click('button[type=submit]');
  await window.getByRole('button', { name: button, exact: true }).click();
}

describe('a consent', () => {
  // The pages of the test provider ask for a font of another site.
  const elsewhere = () => ({
    sites: [provider.issuer, 'https://fonts.googleapis.com/'],
    expected: ['ERR_NAME_NOT_RESOLVED'],
  });

  test('is given in a window, which closes by itself, and the page continues', async () => {
    const page = await lab.open(api, '/connections/new?kind=mcp', elsewhere());
    await page.getByLabel('Name').fill('By consent');
    await page.getByLabel('Endpoint').fill(server.url);
    await page.getByLabel('Credentials').selectOption('oauth2_authorization_code');
    await page.getByLabel(/^Client id/).fill(pageClient.clientId);
    await page.getByLabel(/^Authorization server/).fill(provider.issuer);
    await page.getByLabel(/^Scopes/).fill('openid api');
    const [window] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Create and ask for consent …' }).click(),
    ]);
    await page.getByRole('heading', { name: 'By consent' }).waitFor();
    await expectNoBarriers(page);
    const closed = window.waitForEvent('close');
    await answer(window, 'Connect');
    await closed;
    await page.locator('header').getByText('active').waitFor();
    await page.getByRole('button', { name: 'echo' }).waitFor();
    await expectNoBarriers(page);
  });

  test('that is refused leads back by a link, which closes the window', async () => {
    const id = await connect('Refused');
    const page = await lab.open(api, `/connections/${id}`, elsewhere());
    const [window] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Ask for consent …' }).click(),
    ]);
    await answer(window, 'Do not connect');
    const closed = window.waitForEvent('close');
    await window.getByRole('link', { name: /^Back to/ }).click();
    await closed;
    await page.locator('header').getByText('expired').waitFor();
  });

  test('continues in the page itself where the browser blocks windows, and comes back to it', async () => {
    const id = await connect('No windows');
    const page = await lab.open(api, '/connections', elsewhere());
    await page.addInitScript('window.open = () => null');
    await page.goto(`${api.url}/connections/${id}`);
    await page.getByRole('button', { name: 'Ask for consent …' }).click();
    await page.waitForURL(`${provider.issuer}/**`);
    await answer(page, 'Connect');
    await page.getByRole('link', { name: /^Back to/ }).click();
    await page.locator('header').getByText('active').waitFor();
    expect(page.url()).toBe(`${api.url}/connections/${id}`);
  });

  test('that cannot begin says why, and leaves no window open', async () => {
    const id = await connect('No server', server.url);
    const page = await lab.open(api, `/connections/${id}`, { expected: [/status of [45]/] });
    const [window] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Ask for consent …' }).click(),
    ]);
    await page.getByRole('alert').waitFor();
    await eventually(
      () => Promise.resolve(window.isClosed()),
      (isClosed) => isClosed,
    );
  });
});
