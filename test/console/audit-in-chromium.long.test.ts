import pg from 'pg';
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

/** Records as many calls of a tool, one after the other in the chain. */
async function record(count: number, payload: object = {}): Promise<void> {
  await api.database.inWorkspace(api.workspaceId, (trx) =>
    trx('audit_pending').insert(
      Array.from({ length: count }, (_, index) => ({
        ...{ id: newId(), type: 'tool.executed', subject_id: newId() },
        payload: { tool_name: `tool ${index + 1}`, ...payload },
      })),
    ),
  );
}

/** Brings the log up to date, as reading it does, and deletes events as nobody but the owner of the database can. */
async function deleteEvents(from: number, to: number): Promise<void> {
  await runAsOwner('DELETE FROM audit_events WHERE workspace_id = $1 AND seq BETWEEN $2 AND $3', [from, to]);
}

async function changeEvent(seq: number): Promise<void> {
  await runAsOwner(
    `UPDATE audit_events SET payload = '{"tool_name": "another"}' WHERE workspace_id = $1 AND seq = $2`,
    [seq],
  );
}

/** Runs a statement that no program of Holdfast may run. */
async function runAsOwner(statement: string, values: number[]): Promise<void> {
  await api.call('GET', '/api/audit-events');
  const owner = new pg.Client(api.databaseUrl);
  await owner.connect();
  const { rowCount } = await owner.query(statement, [api.workspaceId, ...values]);
  await owner.end();
  expect(rowCount).toBeGreaterThan(0);
}

async function createAgent(name: string): Promise<string> {
  const { data } = await api.call('POST', '/api/agents', { body: { ...plainAgent, name } });
  return data.agent.id;
}

describe('the audit log', () => {
  test('shows what was done, by whom and to what, and an event in full, by keyboard alone', async () => {
    await record(1, { tool_name: hostile, by: { apiKeyId: null, actingFor: 'ada' } });
    const agentId = await createAgent(hostile);
    const page = await lab.open(api, '/audit');
    await page.getByRole('row', { name: /1 tool executed.*onerror.* ada/ }).waitFor();
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'agent configured' }).focus();
    await page.keyboard.press('Enter');
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByRole('heading', { name: 'agent configured' }).waitFor();
    await details.getByText('version').first().waitFor();
    await expectNoBarriers(page);
    const event = new URL(page.url()).searchParams.get('event');
    expect(event).toBe('2');
    await details.getByRole('link', { name: agentId }).click();
    await page.getByRole('row', { name: /tool executed/ }).waitFor({ state: 'detached' });
    await page.reload();
    await details.getByRole('heading', { name: 'agent configured' }).waitFor();
    await details.getByRole('link', { name: 'Open it' }).click();
    await page.getByRole('heading', { level: 1, name: /onerror/ }).waitFor();
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  test('is filtered by what was done and when, and the address has the filters', async () => {
    await record(3);
    await createAgent('Plain');
    const page = await lab.open(api, '/audit');
    await page.getByLabel(/^What, such as/).fill('agent configured');
    await page.keyboard.press('Enter');
    await page
      .getByRole('row', { name: /tool executed/ })
      .first()
      .waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /agent configured/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('type')).toBe('agent.configured');
    await page.getByLabel('Last day').fill('2026-01-01');
    await page.keyboard.press('Enter');
    await page.getByText('No event fits these filters').waitFor();
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page
      .getByRole('row', { name: /tool executed/ })
      .first()
      .waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('is filtered by who acted, with a name of the list and with the field', async () => {
    const bot = await api.call('POST', '/api/api-keys', {
      body: { name: 'release bot', scopes: ['audit:read'] },
    });
    const botId = (bot.data as unknown as { apiKey: { id: string } }).apiKey.id;
    await record(1, { tool_name: 'of ada', by: { apiKeyId: botId, actingFor: 'ada' } });
    await record(1, { tool_name: 'of the bot', by: { apiKeyId: botId, actingFor: null } });
    await record(1, { tool_name: 'of bob', decided_by: { apiKeyId: null, actingFor: hostile } });
    const page = await lab.open(api, '/audit');
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`of ${name}`) });
    await row('the bot').getByRole('link', { name: 'release bot' }).click();
    await row('bob').waitFor({ state: 'detached' });
    await row('ada').waitFor();
    expect(new URL(page.url()).searchParams.get('apiKeyId')).toBe(botId);
    const field = page.getByLabel('By (person or key)');
    expect(await field.inputValue()).toBe('release bot');
    await expectNoBarriers(page);
    await row('ada').getByRole('link', { name: 'ada' }).click();
    await row('the bot').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?person=ada');
    await page.reload();
    await row('ada').waitFor();
    expect(await row('the bot').count()).toBe(0);
    await field.fill(hostile);
    await page.keyboard.press('Enter');
    await row('bob').waitFor();
    expect(await row('ada').count()).toBe(0);
    await field.fill('release bot');
    await page.keyboard.press('Enter');
    await row('the bot').waitFor();
    expect(new URL(page.url()).searchParams.get('apiKeyId')).toBe(botId);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  test('of many events is read page by page as one goes down', async () => {
    await record(450);
    const page = await lab.open(api, '/audit');
    const list = page.getByRole('table', { name: 'Events' });
    await page.getByRole('row', { name: /tool 450/ }).waitFor();
    expect(await list.getByRole('row').count()).toBeLessThan(100);
    await list.focus();
    // Each page makes the list longer.
    await expect
      .poll(
        async () => {
          await page.keyboard.press('End');
          return page.getByRole('row', { name: /^1 tool executed/ }).count();
        },
        { timeout: 20_000, interval: 300 },
      )
      .toBe(1);
  });

  test('is checked by its chain, which names what is missing and what was changed', async () => {
    await record(620);
    const page = await lab.open(api, '/audit');
    const check = page.getByRole('button', { name: 'Check the chain' });
    await check.focus();
    await page.keyboard.press('Enter');
    await page.getByText(/^All \d+ events are there, as they were written$/).waitFor();
    await expectNoBarriers(page);
    await deleteEvents(40, 45);
    await changeEvent(600);
    await check.click();
    await page.getByText('The chain is broken').waitFor();
    await page
      .getByText('Event 46 does not follow the event before it: something between them is gone.')
      .waitFor();
    await page.getByText('Event 600 was changed.').waitFor();
    await expectNoBarriers(page);
  });

  test('reads well on a narrow page', async () => {
    await record(30, { tool_name: hostile });
    const page = await lab.open(api, '/audit?event=7', { viewport: { width: 390, height: 844 } });
    await page.getByRole('heading', { name: 'tool executed' }).waitFor();
    await expectNoBarriers(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });
});

describe('people', () => {
  test('who may read the log alone see ids in place of names, and nothing that would be refused', async () => {
    await record(1, { by: { apiKeyId: newId(), actingFor: null } });
    const key = await api.createKey(api.workspaceId, ['audit:read']);
    const page = await lab.open({ url: api.url, key }, '/audit?event=1');
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await page.getByRole('row', { name: /1 tool executed.*A key/ }).waitFor();
    await page.reload();
    await page.getByRole('row', { name: /1 tool executed.*A key/ }).waitFor();
    expect(refused).toEqual([]);
  });

  test('of another workspace get nothing of it, and people without the right no screen', async () => {
    await record(2);
    const { key } = await api.createWorkspace();
    const page = await lab.open({ url: api.url, key }, '/audit?event=2');
    await page.getByText('There is no event with the number 2').waitFor();
    expect(await page.getByRole('row', { name: /tool executed/ }).count()).toBe(0);
    const blind = await api.createKey(api.workspaceId, ['analytics:read']);
    const none = await lab.open({ url: api.url, key: blind }, '/audit');
    await none.getByText('There is no page at this address').waitFor();
  });
});
