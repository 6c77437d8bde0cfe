import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tool } from '../../src/domain/tool.ts';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { calculate, openToolScene, type ToolScene } from '../labs/tool-scene.ts';
import { defineTool } from '../servers/definition-server.ts';
import { pageClient, startOpenIdProvider } from '../servers/openid-provider.ts';

const hostile = '<img src=x onerror="window.ran = true">';

let lab: ConsoleLab;
let scene: ToolScene;

beforeAll(async () => {
  lab = await startConsole();
  scene = await openToolScene();
});
afterAll(async () => {
  await lab.stop();
  await scene.close();
});
beforeEach(() => scene.renew());

const openTools = (more: { viewport?: { width: number; height: number }; expected?: string[] } = {}) =>
  lab.open(scene.api, `/agents/${scene.agent.id}?tab=tools`, more);

/** Opens the dialog at one of its sources. */
async function openDialog(page: Page, source: string): Promise<void> {
  await page.getByRole('button', { name: 'Add tools …' }).click();
  await page.getByRole('radio', { name: source, exact: true }).check({ force: true });
}

const option = (page: Page, name: string) => page.getByRole('listbox').getByRole('option', { name });

async function listTools(): Promise<Tool[]> {
  return (await scene.api.call('GET', `/api/agents/${scene.agent.id}`)).data.agent.tools;
}

describe('the dialog that adds tools', () => {
  test('adds several tools of an MCP server at once, by keyboard alone', async () => {
    const page = await openTools();
    await page.getByText('It has no tools yet').waitFor();
    await page.getByRole('button', { name: 'Add tools …' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: 'Providers' }).focus();
    await page.keyboard.press('ArrowRight');
    const list = page.getByRole('listbox', { name: `Tools of ${scene.connection.name}` });
    await list.waitFor();
    await expectNoBarriers(page);
    await list.focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    expect(await list.getByRole('option', { selected: true }).count()).toBe(2);
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Add selected (2)' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('2 tools were added, in version 2.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('row', { name: 'search' }).getByText('read only').waitFor();
    await expectNoBarriers(page);
    const tools = await listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'send']);
    expect(tools[0]?.config).toMatchObject({ connectionId: scene.connection.id });
  });

  test('finds tools by name and description, and lets none be chosen that the agent has', async () => {
    await scene.add(scene.toMcpTool('search'));
    const { tool } = (await scene.add(scene.toMcpTool('pay'))).data;
    const page = await openTools();
    await openDialog(page, 'MCP servers');
    await option(page, 'search already added').click({ force: true });
    expect(await page.getByRole('listbox').getByRole('option', { selected: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    scene.server.tools = [defineTool('pay', { description: hostile }), defineTool('send')];
    await scene.checkPin(tool);
    await page.reload();
    await openDialog(page, 'MCP servers');
    await option(page, 'pay already added, quarantined').waitFor();
    await page.getByRole('listbox').focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.getByRole('button', { name: 'Add selected (1)' }).waitFor();
    await expectNoBarriers(page);
    await page.getByLabel('Search by name or description').fill('does SEND');
    await option(page, 'pay').waitFor({ state: 'detached' });
    await option(page, 'send').waitFor();
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  test('chooses a provider by search and category, and creates a connection in place', async () => {
    const page = await openTools();
    await openDialog(page, 'Providers');
    const providers = page.getByRole('list', { name: 'Providers' });
    await providers.getByRole('button', { name: /^Airtable/ }).waitFor();
    await expectNoBarriers(page);
    await page.getByLabel('Category').selectOption('payments');
    await page.getByLabel('Search providers').fill('stripe');
    await providers.getByRole('button', { name: /^Airtable/ }).waitFor({ state: 'detached' });
    await providers.getByRole('button', { name: /^Stripe/ }).click();
    await page.getByText('There is no connection to Stripe yet.').waitFor();
    await page.getByLabel('Secret key').or(page.getByLabel('Token')).first().fill('sk_test_of_nobody');
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const list = page.getByRole('listbox', { name: 'Tools of Stripe' });
    await list.waitFor();
    await list.getByRole('option').first().click();
    await list.getByRole('option').nth(1).click();
    await page.getByLabel('Approval of their calls').selectOption('always_ask');
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Add selected (2)' }).click();
    await page.getByText('2 tools were added, in version 2.').waitFor();
    const tools = await listTools();
    expect(tools.map(({ settings }) => settings?.approval)).toEqual(['always_ask', 'always_ask']);
    expect(await page.getByRole('row', { name: 'always ask' }).count()).toBe(2);
  });

  test('waits for a consent in a window, and then shows what the server offers', async () => {
    const provider = await startOpenIdProvider(() => ({}));
    // The pages of the test provider ask for a font of another site.
    const page = await lab.open(scene.api, `/agents/${scene.agent.id}?tab=tools`, {
      sites: [provider.issuer, 'https://fonts.googleapis.com/'],
      expected: ['ERR_NAME_NOT_RESOLVED'],
    });
    await openDialog(page, 'MCP servers');
    await page.getByRole('button', { name: 'New connection …' }).click();
    await page.getByLabel('Name', { exact: true }).fill('By consent');
    await page.getByLabel('Endpoint').fill(scene.server.url);
    await page.getByLabel('Credentials').selectOption('oauth2_authorization_code');
    await page.getByLabel(/^Client id/).fill(pageClient.clientId);
    await page.getByLabel(/^Authorization server/).fill(provider.issuer);
    await page.getByLabel(/^Scopes/).fill('openid api');
    const [window] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Create and ask for consent …' }).click(),
    ]);
    await page.getByText('It waits for the consent of a person').waitFor();
    await expectNoBarriers(page);
    await window.fill('input[name=login]', 'ada');
    await window.fill('input[name=password]', 'any');
    await window.click('button[type=submit]');
    await window.click('button[type=submit]');
    await window.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('listbox', { name: 'Tools of By consent' }).waitFor();
    await option(page, 'send').click();
    await page.getByRole('button', { name: 'Add selected (1)' }).waitFor();
    await provider.close();
  });

  test('adds functions, knowledge bases and agents, each with what it needs', async () => {
    const base = { name: 'Handbook', description: 'Rules of the shop.' };
    expect((await scene.api.call('POST', '/api/knowledge-bases', { body: base })).status).toBe(201);
    const other = await scene.api.createAgent();
    const page = await openTools();
    await openDialog(page, 'Functions');
    await option(page, 'file_search').click();
    await page.getByLabel('Knowledge base').selectOption({ label: 'Handbook' });
    await page.getByRole('radio', { name: 'Knowledge', exact: true }).check({ force: true });
    await option(page, 'Handbook').click();
    await page.getByLabel('Description for the model').fill('Knows the rules of the shop.');
    await page.getByRole('radio', { name: 'Agents', exact: true }).check({ force: true });
    await option(page, other.name).first().click();
    await page.getByLabel('Name for the model').fill('ask_the_other');
    await page.getByRole('radio', { name: 'Workflows', exact: true }).check({ force: true });
    await page.getByText('it names none').waitFor();
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Add selected (3)' }).click();
    await page.getByText('3 tools were added, in version 2.').waitFor();
    const tools = await listTools();
    const [search, knowledge] = tools.map(({ config }) => config as { knowledgeBaseId?: string });
    expect(search?.knowledgeBaseId).toBe(knowledge?.knowledgeBaseId);
    expect(tools).toMatchObject([
      { type: 'function', name: 'file_search' },
      { type: 'knowledge_base', name: 'handbook', description: 'Knows the rules of the shop.' },
      { type: 'agent', name: 'ask_the_other' },
    ]);
  });

  test('names the tool that the API refuses, and adds none', async () => {
    const page = await openTools({ expected: ['400'] });
    await openDialog(page, 'Functions');
    await option(page, 'current_time').click();
    await option(page, 'calculate').click();
    await page.getByLabel('Name for the model').fill('not a name');
    await page.getByRole('button', { name: 'Add selected (2)' }).click();
    await page.getByRole('dialog').getByText('not a name.name').waitFor();
    await expectNoBarriers(page);
    expect(await listTools()).toEqual([]);
  });

  test('is used on a narrow page', async () => {
    const page = await openTools({ viewport: { width: 390, height: 844 } });
    await openDialog(page, 'MCP servers');
    await option(page, 'pay').click();
    await expectNoBarriers(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.getByRole('button', { name: 'Add selected (1)' }).click();
    await page.getByText('1 tool was added, in version 2.').waitFor();
  });
});

describe('one tool', () => {
  test('gets other settings and is removed, each in a new version', async () => {
    await scene.add(calculate);
    const page = await openTools();
    await page.getByRole('link', { name: 'calculate' }).click();
    const dialog = page.getByRole('dialog', { name: 'calculate' });
    await dialog.getByLabel('Approval', { exact: true }).selectOption('ask');
    await dialog.getByLabel('Time of a call, in seconds').fill('12,5');
    await dialog.getByLabel('Groups that approve').fill('finance, legal');
    await dialog.getByLabel('Ask when the arguments match').fill('{ "required": ["expression"] }');
    await expectNoBarriers(page);
    await dialog.getByRole('button', { name: 'Save the settings' }).click();
    await dialog.getByText('Saved in version 3.').waitFor();
    const [tool] = await listTools();
    expect(tool?.settings).toEqual({
      ...{ approval: 'ask', timeoutMs: 12_500, approvers: ['finance', 'legal'] },
      approvalWhen: { required: ['expression'] },
    });
    await dialog.getByLabel('Time of a call, in seconds').fill('');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Stay here' }).click();
    await dialog.getByLabel('Enabled: offered to the model').uncheck();
    await dialog.getByRole('button', { name: 'Save the settings' }).click();
    await dialog.getByText('Saved in version 4.').waitFor();
    const [changed] = await listTools();
    expect(changed?.settings).toMatchObject({ enabled: false, approval: 'ask' });
    expect(changed?.settings).not.toHaveProperty('timeoutMs');
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: 'calculate' }).getByText('disabled').waitFor();
    await page.getByRole('link', { name: 'calculate' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page
      .getByRole('dialog', { name: 'Remove calculate?' })
      .getByRole('button', { name: 'Remove' })
      .click();
    await page.getByText('It has no tools yet').waitFor();
    expect(await listTools()).toEqual([]);
  });

  test('that is quarantined shows what its server has changed, and is accepted', async () => {
    const { tool } = (await scene.add(scene.toMcpTool('search'))).data;
    scene.server.tools = [defineTool('search', { description: hostile })];
    await scene.checkPin(tool);
    const page = await openTools();
    await page.getByText('1 tool is quarantined').waitFor();
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'search' }).click();
    const quarantine = page.getByRole('region', { name: 'Quarantine of search' });
    await quarantine.getByText('Does search.').waitFor();
    await quarantine.getByText('onerror').waitFor();
    await expectNoBarriers(page);
    await quarantine.getByRole('button', { name: 'Accept the change' }).click();
    await quarantine.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: 'search' }).getByText('active').waitFor();
    expect((await listTools()).map(({ description }) => description)).toEqual([hostile]);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });
});

test('a connector is attached whole and detached again, with its tools', async () => {
  const body = {
    name: 'desk',
    type: 'mcp',
    endpoint: scene.server.url,
    tools: ['pay', 'send'],
  };
  expect((await scene.api.call('POST', '/api/connectors', { body })).status).toBe(201);
  const page = await openTools();
  await openDialog(page, 'Connectors');
  await option(page, 'pay').waitFor();
  expect(await page.getByRole('listbox').getByRole('option').count()).toBe(2);
  await expectNoBarriers(page);
  await page.getByRole('button', { name: 'Attach the whole connector' }).click();
  await page.getByText('The tools of desk were added.').waitFor();
  expect((await listTools()).length).toBe(2);
  await page.getByRole('button', { name: 'Detach' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Detach' }).click();
  await page.getByText('It has no tools yet').waitFor();
  expect(await listTools()).toEqual([]);
});
