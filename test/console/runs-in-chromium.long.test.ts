import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { eventually } from '../labs/eventually.ts';
import { createLabKey, startLabApi, type LabApi } from '../labs/lab-api.ts';
import { shareTurnLab, type TurnLab } from '../labs/turn-lab.ts';

let chromium: ConsoleLab;
let lab: TurnLab;
let api: LabApi;

beforeAll(async () => {
  chromium = await startConsole();
  lab = await shareTurnLab();
  api = await startLabApi(lab);
});
afterAll(async () => {
  await chromium.stop();
  await api.stop();
});

const tool = (functionName: string) => ({
  type: 'function' as const,
  name: functionName,
  description: `Runs ${functionName}.`,
  schema: { type: 'object', properties: { expression: { type: 'string' } } },
  config: { functionName },
});

/** Runs a turn with a tool call that succeeds and one that fails, and returns its id. */
async function runTurn() {
  const scene = await lab.scene({ tools: [tool('calculate')] });
  scene.reply(
    {
      text: 'I look.',
      toolCalls: [
        { name: 'calculate', arguments: { expression: '6 * 7' } },
        { name: 'calculate', arguments: { expression: 'six by seven' } },
      ],
    },
    { text: 'It is **42**.' },
  );
  const turnId = await scene.say('What is six by seven?');
  await lab.waitForOutcome(turnId);
  return { turnId, scene };
}

describe('the list of runs', () => {
  test('filters by what stands in the address, and puts there what is chosen', async () => {
    const { turnId } = await runTurn();
    const page = await chromium.open(api, '/runs');
    const row = page.getByRole('row', { name: /completed What is six by seven\? It is \*\*42\*\*\./ });
    await row.first().waitFor();
    await expectNoBarriers(page);
    await page.getByLabel('State').selectOption('failed');
    await page.getByText('No run fits these filters').waitFor();
    expect(new URL(page.url()).searchParams.get('outcome')).toBe('failed');
    await page.getByLabel('State').selectOption('completed');
    await page.getByRole('table', { name: 'Runs' }).waitFor();
    await page.reload();
    expect(await page.getByLabel('State').inputValue()).toBe('completed');
    await page.locator(`a[href^="/runs/${turnId}"]`).click();
    await page.getByRole('heading', { name: 'What is six by seven?' }).waitFor();
    await page.goBack();
    expect(await page.getByLabel('State').inputValue()).toBe('completed');
  });

  test('cancels the chosen runs that are open, and exports the chosen ones', async () => {
    const scene = await lab.scene();
    scene.reply({ text: 'Slow', hang: true });
    const turnId = await scene.say('Wait.');
    await scene.waitForRequest(1);
    const page = await chromium.open(api, '/runs?outcome=open');
    await page.getByRole('checkbox', { name: turnId }).check();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export 1' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('recordings.jsonl');
    await page.getByRole('button', { name: 'Cancel 1' }).click();
    expect((await lab.waitForOutcome(turnId)).outcome).toBe('cancelled');
    await page.getByText('No run fits these filters').waitFor();
  });
});

test('a run that begins and ends elsewhere shows in the open list', async () => {
  const scene = await lab.scene();
  const released = Promise.withResolvers<null>();
  scene.reply({ text: 'It has ended.', until: released.promise });
  const page = await chromium.open(api, `/runs?agentId=${scene.agent.id}`);
  await page.getByText('No run fits these filters').waitFor();
  const turnId = await scene.say('Begin.');
  await page.getByText('running', { exact: true }).waitFor();
  released.resolve(null);
  await lab.waitForOutcome(turnId);
  await page.getByRole('link', { name: 'It has ended.' }).waitFor();
});

describe('the page of a run', () => {
  test('shows what it did as a timeline, by keyboard, and each step in full', async () => {
    const { turnId } = await runTurn();
    const page = await chromium.open(api, `/runs/${turnId}`);
    const steps = page.getByRole('region', { name: 'Steps in their order' });
    await steps.getByRole('link').nth(3).waitFor();
    await expectNoBarriers(page);
    await steps.getByRole('link', { name: /^Tool calculate failed/ }).focus();
    await page.keyboard.press('Enter');
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByText('six by seven').first().waitFor();
    await details.getByText('Error').waitFor();
    expect(new URL(page.url()).searchParams.get('step')).not.toBeNull();
    await expectNoBarriers(page);
  });

  test('has the same turn as a conversation and raw', async () => {
    const { turnId } = await runTurn();
    const page = await chromium.open(api, `/runs/${turnId}?view=conversation`);
    await page.locator('article strong', { hasText: '42' }).waitFor();
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'Raw' }).click();
    await page.getByText(turnId).first().waitFor();
    await expectNoBarriers(page);
  });

  test('follows a run that has not ended, and cancels it', async () => {
    const scene = await lab.scene({ tools: [tool('calculate')] });
    scene.reply(
      { toolCalls: [{ name: 'calculate', arguments: { expression: '1' } }] },
      { text: 'Long.', hang: true },
    );
    const turnId = await scene.say('Go.');
    const page = await chromium.open(api, `/runs/${turnId}`);
    await page.getByRole('link', { name: /^Tool calculate succeeded/ }).waitFor();
    await scene.waitForRequest(2);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('header').getByText('cancelled').waitFor();
  });

  test('is not there for a person whose conversation it is not, and for another workspace', async () => {
    const { turnId } = await runTurn();
    const scopes = ['conversations:read'];
    const { key: own } = await api.ask<{ key: string }>('POST', '/api/api-keys', {
      name: 'bob',
      scopes,
      actsFor: 'bob',
    });
    const page = await chromium.open({ url: api.url, key: own }, `/runs/${turnId}`, { expected: ['404'] });
    await page.getByRole('alert').waitFor();
    expect(await page.getByText('six by seven').count()).toBe(0);
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByText('Nothing has run yet').waitFor();
  });

  test('shows a viewer no button that would be refused', async () => {
    const { turnId } = await runTurn();
    const key = await createLabKey(lab, ['conversations:read']);
    const page = await chromium.open({ url: api.url, key }, `/runs/${turnId}`);
    await page.getByRole('link', { name: /^Tool calculate succeeded/ }).waitFor();
    const refused: number[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.status());
    });
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('checkbox').first().check();
    await eventually(
      () => page.getByRole('button', { name: /^Export/ }).count(),
      (count) => count === 1,
    );
    expect(await page.getByRole('button', { name: /^Cancel/ }).count()).toBe(0);
    expect(refused).toEqual([]);
  });
});
