import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Agent } from '../../src/domain/agent.ts';
import type { Api } from '../labs/api-lab.ts';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { shareApi } from '../labs/shared-api.ts';

const hostile = '<img src=x onerror="window.ran = true">';

let lab: ConsoleLab;
let api: Api;

beforeAll(async () => {
  lab = await startConsole();
  api = await shareApi();
});
afterAll(() => lab.stop());

const calculate = {
  ...{ type: 'function', name: 'calculate', description: 'Calculates.', schema: { type: 'object' } },
  config: { functionName: 'calculate' },
};

/** Creates an agent as another program does. */
async function createAgent(body: object): Promise<Agent> {
  const { status, data } = await api.call('POST', '/api/agents', {
    body: { model: 'demo', instructions: 'Help.', ...body },
  });
  expect(status).toBe(201);
  return data.agent;
}

/** Changes an agent as another person does. */
async function change(id: string, body: object): Promise<Agent> {
  const { status, data } = await api.call('PATCH', `/api/agents/${id}`, { body });
  expect(status).toBe(200);
  return data.agent;
}

const read = async (id: string): Promise<Agent> => (await api.call('GET', `/api/agents/${id}`)).data.agent;

const save = (page: Page) => page.getByRole('button', { name: /^Save as version/ });

describe('the list of agents', () => {
  test('finds agents by name, model and tool, as the address says', async () => {
    await createAgent({ name: 'Parcels', tools: [calculate] });
    await createAgent({ name: 'Refunds' });
    const page = await lab.open(api, '/agents');
    const row = page.getByRole('row', { name: 'Parcels' });
    await row.getByText('1 calculate').waitFor();
    await row.getByText('ready').waitFor();
    await page.getByRole('link', { name: 'Refunds' }).waitFor();
    await expectNoBarriers(page);
    await page.getByLabel('Search names, models, tools').fill('CALCULATE');
    await page.getByRole('link', { name: 'Refunds' }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?search=CALCULATE');
    await page.reload();
    await page.getByRole('link', { name: 'Parcels' }).waitFor();
    await page.getByLabel('Search names, models, tools').fill('nothing like it');
    await page.getByText('No agent fits').waitFor();
    await expectNoBarriers(page);
  });

  test('of an empty workspace says what an agent is, and leads to the first one', async () => {
    const other = await api.createWorkspace();
    const page = await lab.open({ url: api.url, key: other.key }, '/agents');
    await page.getByText('There is no agent yet').waitFor();
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'New agent …' }).last().click();
    await page.getByRole('heading', { name: 'New agent' }).waitFor();
    await expectNoBarriers(page);
  });
});

describe('the configuration of an agent', () => {
  test('is created and changed by keyboard alone', async () => {
    const page = await lab.open(api, '/agents');
    await page.getByRole('button', { name: 'New agent …' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.type('By keyboard');
    await page.getByLabel('Model', { exact: true }).focus();
    await page.keyboard.type('demo');
    await page.getByLabel('Instructions').focus();
    await page.keyboard.type('Be short.');
    await page.getByRole('button', { name: 'Create' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'By keyboard' }).waitFor();
    await page.getByText('It has no tools yet').waitFor();
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'Configuration' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('summary', { hasText: 'Limits' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('A whole turn, in seconds').focus();
    await page.keyboard.type('90');
    await page.getByText('Not saved yet').waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press('Enter');
    await page.getByText('Saved as version 2.').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const agent = await read(id);
    expect(agent).toMatchObject({ name: 'By keyboard', model: 'demo', instructions: 'Be short.' });
    expect(agent.limits).toEqual({ turnTimeoutMs: 90_000 });
  });

  test('names the fields that the API refuses, and opens the part that holds them', async () => {
    const { id } = await createAgent({ name: 'Refused' });
    const page = await lab.open(api, `/agents/${id}`, { expected: ['400'] });
    await page.locator('summary', { hasText: 'Model settings' }).click();
    await page.getByLabel('Temperature, 0 to 2').fill('9');
    await page.locator('summary', { hasText: 'Model settings' }).click();
    await save(page).click();
    await page.getByRole('list', { name: 'Refused fields' }).getByText('modelSettings.temperature').waitFor();
    expect(await page.getByLabel('Temperature, 0 to 2').getAttribute('aria-invalid')).toBe('true');
    await expectNoBarriers(page);
    expect((await read(id)).version).toBe(1);
  });

  test('is shown and changed as JSON, which says what it is not', async () => {
    const { id } = await createAgent({ name: 'As JSON', tools: [calculate] });
    const page = await lab.open(api, `/agents/${id}`);
    await page.getByRole('button', { name: 'Show as JSON' }).click();
    const field = page.getByLabel('The agent as JSON');
    await field.fill('{ "name": ');
    await page.getByText('This is not JSON.').waitFor();
    await expectNoBarriers(page);
    await field.fill('{ "name": 7 }');
    await page.getByText('name: expected string, found number.').waitFor();
    await field.fill('{ "name": "Named in JSON", "tools": [] }');
    await save(page).click();
    await page.getByRole('heading', { name: 'Named in JSON' }).waitFor();
    expect((await read(id)).tools).toEqual([]);
  });

  test('asks before it is left with changes that are not saved', async () => {
    const { id } = await createAgent({ name: 'Left alone' });
    const page = await lab.open(api, `/agents/${id}`);
    await page.getByLabel('Instructions').fill('Help, and be kind.');
    await page.getByRole('link', { name: 'Versions' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.waitFor();
    await expectNoBarriers(page);
    await dialog.getByRole('button', { name: 'Stay here' }).click();
    expect(await page.getByLabel('Instructions').inputValue()).toBe('Help, and be kind.');
    await page.getByRole('link', { name: 'Versions' }).click();
    await dialog.getByRole('button', { name: 'Discard and leave' }).click();
    await page.getByRole('heading', { name: 'Version 1' }).waitFor();
    expect((await read(id)).version).toBe(1);
  });
});

describe('two people who edit one agent', () => {
  test('see what the other one has saved, and keep their changes on top of it', async () => {
    const { id } = await createAgent({ name: 'Ours', instructions: 'One.\nTwo.' });
    const page = await lab.open(api, `/agents/${id}`);
    await page.getByLabel('Name').fill('Ours and theirs');
    await change(id, { instructions: 'One.\nThree.' });
    const meanwhile = page.getByRole('region', { name: 'Saved meanwhile' });
    await meanwhile.getByText('Version 2 was saved meanwhile, with changes of instructions.').waitFor();
    await meanwhile.getByText('Three.').waitFor();
    await expectNoBarriers(page);
    expect(await save(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Keep your changes, on top of version 2' }).click();
    await page.getByRole('button', { name: 'Save as version 3' }).click();
    await page.getByText('Saved as version 3.').waitFor();
    expect(await read(id)).toMatchObject({ name: 'Ours and theirs', instructions: 'One.\nThree.' });
  });

  test('replace nothing of each other when both save at once', async () => {
    const { id } = await createAgent({ name: 'At once' });
    const page = await lab.open(api, `/agents/${id}`, { expected: ['409'] });
    await page.getByLabel('Instructions').fill('Mine.');
    await page.route(`**/api/agents/${id}`, async (route) => {
      if (route.request().method() === 'PATCH') await change(id, { instructions: 'Theirs.' });
      await route.continue();
    });
    await save(page).click();
    await page.getByText('You have changed instructions too: your changes would replace those.').waitFor();
    await page.getByRole('button', { name: 'Discard your changes' }).click();
    expect(await page.getByLabel('Instructions').inputValue()).toBe('Theirs.');
    expect((await read(id)).version).toBe(2);
  });
});

describe('the versions of an agent', () => {
  test('are compared by lines, tools and settings, and an old one is restored', async () => {
    const { id } = await createAgent({
      ...{ name: 'Versions', instructions: 'Be kind.\nBe short.', tools: [calculate] },
      limits: { maxIterations: 4 },
    });
    const renamed = { ...calculate, name: 'compute', description: 'Computes.' };
    await change(id, { instructions: 'Be kind.\nBe brief.', tools: [renamed], limits: {} });
    const page = await lab.open(api, `/agents/${id}?tab=versions`);
    await page.getByText('instructions, limits, tools').waitFor();
    const difference = page.getByLabel('What differs between version 1 and version 2');
    expect(await difference.locator('del').allTextContents()).toEqual(['Be short.', '4']);
    expect(await difference.locator('ins').allTextContents()).toEqual(['Be brief.']);
    const tools = page.getByRole('region', { name: 'Tools that differ' });
    await tools.getByText('Removed: calculate (function) Calculates.').waitFor();
    await tools.getByText('Added: compute (function) Computes.').waitFor();
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'Version 1' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Version 1' }).waitFor();
    await page.getByRole('button', { name: 'Roll back' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Roll back to version 1?' }).waitFor();
    await expectNoBarriers(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Version 3' }).waitFor();
    const agent = await read(id);
    expect(agent).toMatchObject({ version: 3, instructions: 'Be kind.\nBe short.' });
    expect(agent.limits).toEqual({ maxIterations: 4 });
    expect(agent.tools.map(({ name }) => name)).toEqual(['calculate']);
  });

  test('of an agent of a project say that its code defines it', async () => {
    const { id } = await createAgent({ name: 'Pushed', project: 'shop' });
    const page = await lab.open(api, `/agents/${id}`);
    await page.getByText('pushed by the project shop').waitFor();
    await page.getByText('Its next push overwrites what is changed here').waitFor();
    await page.getByText('npx holdfast pull --agent "Pushed"').waitFor();
    await expectNoBarriers(page);
  });
});

describe('people', () => {
  test('delete an agent after they have read the consequences, and restore it', async () => {
    const { id } = await createAgent({ name: 'Asked' });
    const ask = {
      ...{ type: 'agent', name: 'ask', description: 'Asks.', schema: { type: 'object' } },
      config: { agentId: id },
    };
    await createAgent({ name: 'Asking', tools: [ask] });
    const page = await lab.open(api, `/agents/${id}`);
    await page.getByRole('button', { name: 'Delete …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Asked?' });
    await dialog.getByText('Agents that ask it: Asking.').waitFor();
    await expectNoBarriers(page);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    expect((await api.call('GET', `/api/agents/${id}`)).status).toBe(404);
    await page.getByLabel('Show').selectOption('Deleted');
    await page.getByRole('row', { name: 'Asked' }).waitFor();
    expect(new URL(page.url()).search).toBe('?state=deleted');
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Restore Asked' }).click();
    await page.getByRole('heading', { name: 'Asked', level: 1 }).waitFor();
    await page.getByLabel('Instructions').waitFor();
    expect((await read(id)).name).toBe('Asked');
  });

  test('who may only read see no button that would be refused', async () => {
    const { id } = await createAgent({ name: 'Read only', tools: [calculate] });
    await change(id, { name: 'Read only again' });
    const key = await api.createKey(api.workspaceId, ['agents:read']);
    const page = await lab.open({ url: api.url, key }, `/agents/${id}`);
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    const listButtons = () => page.getByRole('main').getByRole('button').allTextContents();
    await page.getByLabel('Name').waitFor();
    expect(await page.getByLabel('Name').getAttribute('readonly')).not.toBeNull();
    expect(await listButtons()).toEqual(['Copy the id', 'Show as JSON']);
    expect(await page.getByRole('link', { name: 'Open in playground' }).count()).toBe(0);
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'Tools', exact: true }).click();
    await page.getByRole('link', { name: 'calculate' }).click();
    await page.getByRole('dialog', { name: 'calculate' }).getByText('Settings').waitFor();
    expect(await page.getByRole('dialog').getByRole('button').allTextContents()).toEqual(['Close']);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Versions' }).click();
    await page.getByRole('link', { name: 'Version 1' }).click();
    await page.getByRole('heading', { name: 'Version 1' }).waitFor();
    expect(await listButtons()).toEqual(['Copy the id']);
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByRole('link', { name: 'Read only again' }).waitFor();
    expect(await listButtons()).toEqual([]);
    expect(refused).toEqual([]);
  });

  test('of another workspace get nothing, and people without the right no screen', async () => {
    const { id } = await createAgent({ name: 'Secret of ours' });
    const other = await api.createWorkspace();
    const page = await lab.open({ url: api.url, key: other.key }, `/agents/${id}`, { expected: ['404'] });
    await page.getByRole('alert').waitFor();
    expect(await page.content()).not.toContain('Secret of ours');
    const key = await api.createKey(api.workspaceId, ['connections:read']);
    const blind = await lab.open({ url: api.url, key }, '/agents');
    await blind.getByText('There is no page at this address').waitFor();
  });

  test('see names and instructions with script as texts, on a narrow page too', async () => {
    const { id } = await createAgent({
      ...{ name: hostile, instructions: hostile, tools: [{ ...calculate, description: hostile }] },
      ...{ project: hostile },
    });
    await change(id, { instructions: `${hostile}\n${hostile}`, tools: [] });
    const page = await lab.open(api, `/agents/${id}`, { viewport: { width: 390, height: 844 } });
    for (const tab of ['configuration', 'tools', 'versions']) {
      await page.goto(`${api.url}/agents/${id}?tab=${tab}`);
      await page.getByRole('heading', { name: hostile }).waitFor();
      await expectNoBarriers(page);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    }
    await page.getByText('Removed:').waitFor();
    await page.goto(`${api.url}/agents`);
    await page.getByRole('link', { name: hostile }).waitFor();
    await expectNoBarriers(page);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });
});
