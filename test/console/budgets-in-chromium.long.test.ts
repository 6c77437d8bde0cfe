import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/lib/ids.ts';
import { plainAgent, type Api } from '../labs/api-lab.ts';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { shareApi } from '../labs/shared-api.ts';

const hostile = '<img src=x onerror="window.ran = true">';

let lab: ConsoleLab;
let api: Api;

beforeAll(async () => {
  lab = await startConsole();
});
beforeEach(async () => {
  api = await shareApi();
});
afterAll(() => lab.stop());

async function createBudget(body: object): Promise<string> {
  const { status, data } = await api.call('POST', '/api/budgets', { body });
  expect(status).toBe(201);
  return data.budget.id;
}

async function createAgent(): Promise<string> {
  const { data } = await api.call('POST', '/api/agents', { body: { ...plainAgent, name: hostile } });
  return data.agent.id;
}

/** Stores the cost of a call, in dollars. */
async function spend(agentId: string, person: string, dollars: number): Promise<void> {
  await api.database.system('credit_entries').insert({
    ...{
      workspace_id: api.workspaceId,
      source_id: newId(),
      part: 'model/1',
      kind: 'model',
      name: 'test/small',
    },
    ...{ status: 'settled', credits: dollars * 1_000_000, agent_id: agentId, asked_by: person },
  });
}

describe('the budgets', () => {
  test('are created by keyboard alone, and show what is spent of what', async () => {
    const agentId = await createAgent();
    await spend(agentId, 'ada', 8.5);
    const page = await lab.open(api, '/budgets');
    await page.getByText('There is no budget yet').waitFor();
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'New budget …' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Counts the calls of').focus();
    await page.keyboard.type('One agent');
    await page.getByLabel('Agent', { exact: true }).focus();
    await page.keyboard.type(hostile);
    await expectNoBarriers(page);
    await page.getByLabel('Amount in US dollars').focus();
    await page.keyboard.type('10');
    await page.keyboard.press('Tab');
    await page.keyboard.type(hostile);
    await page.getByLabel('Amount in US dollars').focus();
    await page.keyboard.press('Enter');
    await page.getByText('$8.50 of $10.00').waitFor();
    await page.getByText('nearly used up').waitFor();
    await page.getByText('People read:').waitFor();
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'Budgets' }).click();
    await page
      .getByRole('row', { name: /\$10\.00 each month.*\$8\.50 of \$10\.00 nearly used up/ })
      .waitFor();
    await expectNoBarriers(page);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  test('are changed, and are deleted after a question', async () => {
    const agentId = await createAgent();
    await spend(agentId, 'ada', 3);
    const id = await createBudget({ scope: 'workspace', period: 'total', dollars: '2.25' });
    const page = await lab.open(api, `/budgets/${id}`, { expected: ['400'] });
    await page.getByText('used up', { exact: true }).waitFor();
    const amount = page.getByLabel('Amount in US dollars');
    expect(await amount.inputValue()).toBe('2.25');
    await amount.fill('many');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    await amount.fill('100');
    await page.getByLabel('What people read').fill('Ask Ada.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('$3.00 of $100.00').waitFor();
    const { budget } = (await api.call('GET', `/api/budgets/${id}`)).data;
    expect(budget).toMatchObject({ credits: '100000000', message: 'Ask Ada.' });
    await page.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog');
    await expectNoBarriers(page);
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There is no budget yet').waitFor();
    expect((await api.call('GET', `/api/budgets/${id}`)).status).toBe(404);
  });

  test('for each show what each has spent', async () => {
    const agentId = await createAgent();
    await spend(agentId, 'ada', 4);
    await spend(agentId, hostile, 5);
    const id = await createBudget({ scope: 'user', each: true, period: 'month', dollars: 5 });
    const page = await lab.open(api, `/budgets/${id}`, { viewport: { width: 390, height: 844 } });
    const shares = page.getByRole('region', { name: 'What each has spent' });
    await shares.getByRole('row', { name: /onerror.*\$5\.00 of \$5\.00/ }).waitFor();
    await shares.getByRole('row', { name: /^ada .*\$4\.00 of \$5\.00/ }).waitFor();
    await page.getByText('$9.00').waitFor();
    await expectNoBarriers(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  test('that are refused say why', async () => {
    await createBudget({ scope: 'workspace', period: 'month', dollars: 1 });
    const page = await lab.open(api, '/budgets/new', { expected: ['409', '400'] });
    await page.getByLabel('Amount in US dollars').fill('5');
    await page.getByRole('button', { name: 'Create' }).click();
    await page
      .getByRole('alert')
      .getByText(/^There is a budget of/)
      .waitFor();
    await page.getByLabel('Counts the calls of').selectOption({ label: 'One conversation' });
    await page.getByLabel('Conversation (id)').fill('no id');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('expected the id of the conversation').first().waitFor();
    await expectNoBarriers(page);
  });
});

describe('people', () => {
  test('who may only read see no button that would be refused', async () => {
    const id = await createBudget({ scope: 'workspace', period: 'month', dollars: 1 });
    const key = await api.createKey(api.workspaceId, ['budgets:read']);
    const page = await lab.open({ url: api.url, key }, `/budgets/${id}`);
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await page.getByText('$0.00 of $1.00').waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    await page.getByRole('link', { name: 'Budgets' }).click();
    await page.getByRole('link', { name: 'The whole workspace' }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    await page.goto(`${api.url}/budgets/new`);
    await page.getByText('You cannot create budgets').waitFor();
    expect(refused).toEqual([]);
  });

  test('of another workspace get nothing, and people without the right no screen', async () => {
    const id = await createBudget({ scope: 'workspace', period: 'month', dollars: 1 });
    const { key } = await api.createWorkspace();
    const page = await lab.open({ url: api.url, key }, `/budgets/${id}`, { expected: ['404'] });
    await page.getByRole('alert').waitFor();
    await page.getByRole('link', { name: 'Budgets' }).click();
    await page.getByText('There is no budget yet').waitFor();
    const blind = await api.createKey(api.workspaceId, ['analytics:read']);
    const none = await lab.open({ url: api.url, key: blind }, '/budgets');
    await none.getByText('There is no page at this address').waitFor();
  });
});
