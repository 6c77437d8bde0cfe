import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Api } from '../../../labs/api-lab.ts';
import { shareApi } from '../../../labs/shared-api.ts';
import { askForApproval } from '../../../labs/asked-call.ts';
import { describeFocus, listBarriers, openWatched, startChromium } from '../../../labs/chromium/chromium.ts';

let api: Api;
let browser: Browser;

beforeAll(async () => {
  [api, browser] = await Promise.all([shareApi(), startChromium()]);
});

afterAll(async () => {
  await browser.close();
  await api.stop();
});

interface Opening {
  colorScheme?: 'light' | 'dark';
  /** Problems that the page is to have. */
  expected?: string[];
}

/** Opens the link to a call that waits. When the test ends the page must have loaded nothing, and have had no other problem. */
async function open({ colorScheme = 'light', expected = [] }: Opening = {}) {
  const { actionId } = await askForApproval(api);
  const answer = await api.call('POST', `/api/pending-actions/${actionId}/link`, {
    body: { actingFor: 'Ada' },
  });
  const { url } = answer.data;
  const { page, problems, requests } = await openWatched(browser, { colorScheme });
  onTestFinished(async () => {
    await page.context().close();
    const foreign = requests.filter((address) => new URL(address).pathname !== new URL(url).pathname);
    expect({ problems, foreign }).toEqual({ problems: expected, foreign: [] });
  });
  await page.goto(url);
  const read = async () => (await api.call('GET', `/api/pending-actions/${actionId}`)).data.action;
  return { page, read };
}

test('a person changes the arguments and approves with the keyboard alone', async () => {
  const { page, read } = await open();
  const passed: (string | null)[] = [];
  const tab = async () => {
    await page.keyboard.press('Tab');
    passed.push(await describeFocus(page));
  };
  await tab();
  await page.keyboard.press('Enter');
  await tab();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('{ "expression": "2 + 2" }');
  await tab();
  await page.keyboard.type('Two is better.');
  await tab();
  expect(passed).toEqual([
    'summary Change the arguments',
    'textarea Arguments',
    'input Reason',
    'button Approve',
  ]);
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=Approved: calculate');
  expect(await read()).toMatchObject({
    ...{ status: 'approved', reason: 'Two is better.', approvedArguments: { expression: '2 + 2' } },
  });
});

test('arguments that are wrong are said on the page, and can be corrected there', async () => {
  const { page, read } = await open({
    expected: ['Failed to load resource: the server responded with a status of 400 (Bad Request)'],
  });
  await page.getByText('Change the arguments').click();
  await page.getByLabel('Arguments').fill('{ "expression": 7 }');
  await page.getByRole('button', { name: 'Approve' }).click();
  expect(await page.getByRole('alert').innerText()).toContain('expression');
  expect(await listBarriers(page)).toEqual([]);
  await page.getByLabel('Arguments').fill('{ "expression": "7" }');
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.waitForSelector('text=Rejected: calculate');
  expect(await read()).toMatchObject({ status: 'rejected' });
});

test.for(['light', 'dark'] as const)('the page can be read by everybody in %s', async (scheme) => {
  const { page } = await open({ colorScheme: scheme });
  await page.getByText('Change the arguments').click();
  expect(await listBarriers(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.waitForSelector('text=Approved: calculate');
  expect(await listBarriers(page)).toEqual([]);
});
