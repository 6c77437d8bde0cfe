import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { createLabKey, startLabApi, type LabApi } from '../labs/lab-api.ts';
import { calculate } from '../labs/lab-tools.ts';
import { shareTurnLab, type TurnLab } from '../labs/turn-lab.ts';

const hostile = '<img src=x onerror="window.ran=true">';

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

describe('the home page', () => {
  test('of a new workspace has the first steps, and no zeros', async () => {
    const page = await chromium.open(api, '/');
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await expectNoBarriers(page);
    for (const title of ['Waits for you', 'Failed today', 'Runs now', 'Cost'])
      expect(await page.getByRole('heading', { name: title }).count()).toBe(0);
    await page.getByRole('button', { name: 'Create an agent' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('There is no agent yet').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Connect a server' }).click();
    await page.getByLabel('Endpoint').waitFor();
  });

  test('shows what waits, what failed and what runs, and leads there', async () => {
    const asks = await lab.scene({ tools: [{ ...calculate, settings: { approval: 'ask' } }] });
    asks.reply({ toolCalls: [{ name: 'calculate', arguments: { expression: '6 * 7' } }] }, { text: '42.' });
    const waiting = await asks.say('What is 6 * 7?');
    await lab.waitForActions(waiting);
    const fails = await lab.scene();
    fails.reply({ status: 400, body: { error: { message: `Refused ${hostile}` } } });
    const failed = await fails.say(`Fail ${hostile}!`);
    await lab.waitForOutcome(failed);

    const page = await chromium.open(api, '/');
    const waits = page.getByRole('region', { name: 'Waits for you' });
    await waits.getByRole('link', { name: 'calculate' }).waitFor();
    await page.getByRole('region', { name: 'Runs now' }).getByText('waiting for approval').waitFor();
    const failures = page.getByRole('region', { name: 'Failed today' });
    await failures.getByText('failed', { exact: true }).first().waitFor();
    await failures.getByRole('link', { name: new RegExp(`^Fail <img .*>! .*Refused <img`) }).waitFor();
    await page
      .getByRole('region', { name: 'Runs now' })
      .getByRole('link', { name: /^What is 6/ })
      .waitFor();
    await page.getByRole('region', { name: 'Cost' }).getByText('Today').waitFor();
    await expectNoBarriers(page);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    await waits.getByRole('link', { name: 'calculate' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Approve' }).focus();
    await page.keyboard.press('Enter');
    await lab.waitForOutcome(waiting);
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByText('Nothing waits for you.').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await expectNoBarriers(page);
  });

  test('shows a person who may read nothing of it no more than its title', async () => {
    const key = await createLabKey(lab, ['webhooks:read']);
    const page = await chromium.open({ url: api.url, key }, '/');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    expect(await page.getByRole('main').getByRole('heading').allTextContents()).toEqual(['Home']);
    await expectNoBarriers(page);
  });
});
