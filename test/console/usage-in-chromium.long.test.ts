import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/lib/ids.ts';
import { plainAgent, startTurn, type Api } from '../labs/api-lab.ts';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { shareApi } from '../labs/shared-api.ts';

const hostile = '<img src=x onerror="window.ran = true">';

let lab: ConsoleLab;
let api: Api;
let agentId: string;

beforeAll(async () => {
  lab = await startConsole();
  api = await shareApi();
  agentId = await createAgent(hostile);
  await spend(agentId, { person: 'ada', day: '2026-03-02', credits: 2_000_000, inputTokens: 1_200 });
  await spend(agentId, { person: hostile, day: '2026-03-04', credits: 500_000, inputTokens: 300 });
  await spend(await createAgent('Second'), { day: '2026-03-04', credits: 1_250_000, inputTokens: 40 });
});
afterAll(() => lab.stop());

async function createAgent(name: string): Promise<string> {
  const { data } = await api.call('POST', '/api/agents', { body: { ...plainAgent, name } });
  return data.agent.id;
}

interface Spent {
  person?: string;
  day: string;
  credits: number;
  inputTokens: number;
}

/** Stores a turn of a day with one model call. */
async function spend(agent: string, { person, day, credits, inputTokens }: Spent): Promise<void> {
  const opened = await api.call('POST', '/api/conversations', { body: { agentId: agent } });
  const conversationId = opened.data.conversation.id;
  const turnId = await startTurn(api, conversationId);
  const { system } = api.database;
  const of = { workspace_id: api.workspaceId, agent_id: agent, conversation_id: conversationId };
  const startedBy = person === undefined ? {} : { started_by: { apiKeyId: null, actingFor: person } };
  await system('turns')
    .where({ id: turnId })
    .update({ created_at: `${day}T12:00:00Z`, ...startedBy });
  await system('credit_entries').insert({
    ...{ ...of, source_id: turnId, part: 'model/1', kind: 'model', name: 'test/small', status: 'settled' },
    ...{ credits, counted: true, asked_by: person ?? null, at: `${day}T12:00:00Z` },
  });
  const tokens = { input_tokens: inputTokens, cache_read_tokens: inputTokens / 2, cache_write_tokens: 0 };
  await system('usage').insert({
    ...{ workspace_id: api.workspaceId, id: newId(), turn_id: turnId, iteration: 1 },
    ...{ model: 'test/small', answered_by: 'test/small' },
    ...{ ...tokens, output_tokens: 10, reasoning_tokens: 0 },
  });
}

const march = 'from=2026-03-01&to=2026-03-05';

describe('the usage', () => {
  test('is shown by day as a chart with a table of the same numbers, and by agent, person and model', async () => {
    const page = await lab.open(api, `/usage?${march}`);
    const days = page.getByRole('region', { name: 'Figures of each day' });
    await days.getByRole('row', { name: 'Mar 4, 2026 $1.75 510 20 2 0' }).waitFor();
    await days.getByRole('row', { name: 'Mar 2, 2026 $2.00 1,800 10 1 0' }).waitFor();
    expect(await days.getByRole('row').count()).toBe(6);
    await page
      .getByRole('img', { name: /^Cost by day/ })
      .locator('canvas')
      .waitFor();
    await page.locator('header').getByText('$3.75').waitFor();
    await page.getByRole('row', { name: /^Second .*\$1\.25 60 10 1 0/ }).waitFor();
    await page.getByRole('row', { name: /^ada .*\$2\.00 1,800 10 1 0/ }).waitFor();
    await page.getByRole('row', { name: /^test\/small answers .*\$3\.75 3 2,310 33\.3% 30/ }).waitFor();
    expect(await page.getByRole('meter', { name: 'Cost of ada' }).getAttribute('aria-valuetext')).toBe(
      '$2.00',
    );
    await expectNoBarriers(page);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  test('draws its bars in the colours of the page, and as wide as the page has room', async () => {
    const page = await lab.open(api, `/usage?${march}&show=turns`, { expected: ['Canvas2D'] });
    const canvas = page.getByRole('img', { name: /^Turns by day/ }).locator('canvas');
    await canvas.waitFor();
    const readDark = () =>
      page.evaluate<number>(`(() => {
        const { width, height } = document.querySelector('canvas');
        const { data } = document.querySelector('canvas').getContext('2d').getImageData(0, 0, width, height);
        let found = 0;
        for (let at = 0; at < data.length; at += 4)
          if (data[at] === 0x6c && data[at + 1] === 0xd0 && data[at + 2] === 0xc1) found += 1;
        return found;
      })()`);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(readDark).toBe(0);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(readDark).toBeGreaterThan(100);
    const wide = (await canvas.boundingBox())?.width ?? 0;
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(async () => (await canvas.boundingBox())?.width).toBeLessThan(wide);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await expectNoBarriers(page);
  });

  test('is narrowed to one agent, one person and other days by keyboard, and the address has the choice', async () => {
    const page = await lab.open(api, `/usage?${march}`);
    await page.getByRole('link', { name: 'ada' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('1 turn', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('person')).toBe('ada');
    await page.getByRole('button', { name: 'Clear' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Nothing ran in these days').waitFor();
    await page.getByLabel('Last day').fill('2026-03-03');
    await page.keyboard.press('Enter');
    await page.getByLabel('First day').fill('2026-03-03');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBe('2026-03-03');
    await page.getByText('Nothing ran in these days').waitFor();
    await expectNoBarriers(page);
    await page.getByLabel('First day').fill('2026-03-09');
    await page.keyboard.press('Enter');
    await page.getByText('The last day is before the first one').waitFor();
    await page.goto(`${api.url}/usage?${march}&agentId=${agentId}&show=tokens`);
    await page.locator('header').getByText('$2.50').waitFor();
    await page.getByRole('link', { name: 'Turns' }).click();
    await page.getByRole('img', { name: /^Turns by day/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('agentId')).toBe(agentId);
  });
});

describe('people', () => {
  test('who may read figures alone see ids in place of names, and nothing that would be refused', async () => {
    const key = await api.createKey(api.workspaceId, ['analytics:read']);
    const page = await lab.open({ url: api.url, key }, `/usage?${march}`);
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await page.getByRole('link', { name: agentId }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: agentId }).waitFor();
    expect(refused).toEqual([]);
  });

  test('of another workspace get nothing, and people without the right no screen', async () => {
    const { key } = await api.createWorkspace();
    const page = await lab.open({ url: api.url, key }, `/usage?${march}`);
    await page.getByText('Nothing ran in these days').waitFor();
    const blind = await api.createKey(api.workspaceId, ['conversations:read']);
    const none = await lab.open({ url: api.url, key: blind }, '/usage');
    await none.getByText('There is no page at this address').waitFor();
    expect(await none.getByRole('link', { name: 'Usage' }).count()).toBe(0);
  });
});
