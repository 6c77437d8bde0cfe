import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { replayInputSchema } from '../../../../src/domain/replay.ts';
import {
  createReplaySummary,
  type InReplays,
} from '../../../../src/modules/replays/report/create-replay-summary.ts';
import type { ReplaySummary } from '../../../../src/modules/replays/report/replay-report.ts';
import { buildReport } from '../../../../src/modules/replays/report/build-report.ts';
import { writeReport } from '../../../../src/modules/replays/report/report-formats.ts';
import { describeFocus, listBarriers, openWatched, startChromium } from '../../../labs/chromium/chromium.ts';
import { createPlayedReplay, type PlayedCase } from '../../../labs/replayed-runs.ts';
import { createTemporaryFolder } from '../../../labs/temporary-folder.ts';

const reader = { scopes: ['replays:read' as const, 'conversations:read' as const] };

let browser: Browser;
/** A report of 120 cases: of ten the first one fails, the second could not be run. */
let report: string;
/** A report of 20 such cases, since every row that is shown is checked. */
let shortReport: string;
/** A summary of the short report. */
let summary: ReplaySummary;

const hostile = '<img src="https://example.com/x.png" onerror="alert(1)"></script><script>alert(2)</script>';

function toCase(index: number): PlayedCase {
  const original = { message: `Message ${index}`, answer: `The answer to ${index} is a long one.` };
  if (index % 10 === 1) return { original, candidate: null };
  const judged = { baseline: { judged: 'tie' as const }, original };
  const long = 'A line of an answer that scrolls.\n'.repeat(100);
  if (index === 7) return { ...judged, original: { ...original, answer: long }, candidate: { answer: long } };
  if (index % 10 !== 0) return { ...judged, candidate: { judged: 'tie' } };
  const candidate = { queries: ['mail'], answer: `Short: ${index}.`, judged: 'better' as const };
  return { ...judged, original: index === 50 ? { ...original, message: hostile } : original, candidate };
}

function toReplay(size: number, stored: ReplaySummary | null = null): InReplays {
  const judge = { model: 'compatible/judge', rubric: 'Shorter is better.' };
  const input = replayInputSchema.parse({ selection: {}, judge });
  const cases = Array.from({ length: size }, (_, index) => toCase(index));
  return createPlayedReplay(cases, { input, summary: stored });
}

async function writePage(replay: InReplays): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of writeReport(await buildReport(replay, reader, { replayId: 'replay' }), 'html')
    .frames)
    pieces.push(piece);
  return pieces.join('');
}

beforeAll(async () => {
  browser = await startChromium();
  report = await writePage(toReplay(120));
  summary = await createReplaySummary(toReplay(20), 'replay');
  shortReport = await writePage(toReplay(20, summary));
});

afterAll(() => browser.close());

/** Opens the report. When the test ends the page must have loaded nothing, and have had no problem. */
async function open(html = report, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const file = path.join(createTemporaryFolder(), 'report.html');
  writeFileSync(file, html);
  const address = pathToFileURL(file).href;
  const { page, problems, requests } = await openWatched(browser, { colorScheme });
  onTestFinished(async () => {
    await page.context().close();
    expect({ problems, requests }).toEqual({ problems: [], requests: [address] });
  });
  await page.goto(address);
  return page;
}

const rows = (page: Page) => page.locator('#cases > details');
const count = (page: Page) => page.locator('#count').innerText();

/** Opens cases of the list, and waits until they are shown. */
async function openCases(page: Page, indexes = [0]): Promise<void> {
  for (const index of indexes) {
    const row = rows(page).nth(index);
    await row.locator('summary').click();
    await row.locator('.body').waitFor();
  }
}

/** Presses Tab until this element has the focus, and fails where the focus cannot be seen on the way. */
async function tabTo(page: Page, wanted: string): Promise<string[]> {
  const passed: string[] = [];
  while (passed.at(-1) !== wanted) {
    await page.keyboard.press('Tab');
    const focus = await describeFocus(page);
    expect(focus, `the focus after ${passed.join(', ')}`).not.toBeNull();
    passed.push(focus ?? '');
    expect(passed.length, passed.join(', ')).toBeLessThan(30);
  }
  return passed;
}

describe('the page of a report, opened from disk', () => {
  it('shows the cases that changed most first, in pages', async () => {
    const page = await open();
    expect(await page.title()).toBe('A <b>shorter</b> prompt · Holdfast replay');
    expect(await count(page)).toBe('120 of 120 cases, those that changed most first');
    expect(await rows(page).count()).toBe(50);
    expect(await rows(page).first().innerText()).toMatch(
      /not run[^]*could not be run: The model did not answer\./,
    );
    expect(await page.locator('#previous').isDisabled()).toBe(true);
    await page.locator('#next').click();
    await page.locator('#next').click();
    expect(await page.locator('#page').innerText()).toBe('page 3 of 3');
    expect(await rows(page).count()).toBe(20);
    expect(await page.locator('#next').isDisabled()).toBe(true);
  });

  it('finds cases by their words and by filters, together', async () => {
    const page = await open();
    await page.getByLabel('Search').fill('short: 30');
    expect(await count(page)).toMatch(/^1 of 120 /);
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Result').selectOption('failed');
    expect(await count(page)).toMatch(/^12 of 120 /);
    await page.getByLabel('Judge', { exact: true }).selectOption('tie');
    expect(await count(page)).toMatch(/^0 of 120 /);
    expect(await page.locator('#page').innerText()).toBe('page 1 of 1');
    await page.getByLabel('Judge', { exact: true }).selectOption({ label: 'better (12)' });
    await page.getByLabel('Tool', { exact: true }).selectOption('send_mail');
    await page.getByLabel('Difference', { exact: true }).selectOption({ label: 'tool changed (12)' });
    await page.getByLabel('Trajectory', { exact: true }).selectOption({ label: 'different (12)' });
    expect(await count(page)).toMatch(/^12 of 120 /);
    await page.getByLabel('Search').fill('message 70');
    expect(await count(page)).toMatch(/^1 of 120 /);
  });

  it('shows a case whole, with its answers side by side and the verdict of the judge', async () => {
    const page = await open();
    await page.getByLabel('Search').fill('short: 30');
    await openCases(page);
    const details = rows(page).first().locator('.body');
    const text = await details.innerText();
    for (const part of [
      'First difference: turn 1, step 1, tool changed',
      'Judge: better (prompt 0123456789abcdef)',
      'the recorded answer second: It <b>says</b> more.',
      'tokens: input / from cache / to cache / output',
    ])
      expect(text).toContain(part);
    expect(await details.locator('ins').allInnerTexts()).toContain('Short:');
    const [left, right] = await details.locator('.answers').last().locator('pre').all();
    const [one, other] = [await left?.boundingBox(), await right?.boundingBox()];
    expect(one?.y).toBe(other?.y);
    expect((one?.x ?? 0) + (one?.width ?? 0)).toBeLessThan(other?.x ?? 0);
  });

  it('shows texts of others as text', async () => {
    const page = await open();
    await page.getByLabel('Search').fill('onerror');
    await openCases(page);
    expect(await rows(page).first().locator('pre').first().innerText()).toBe(hostile);
    expect(await page.locator('img').count()).toBe(0);
  });

  it('is used with the keyboard alone, and the focus is seen at every step', async () => {
    const page = await open();
    const filters = ['search', 'verdict', 'trajectory', 'kind', 'tool', 'judge'];
    const fields = filters.map((id) => `${id === 'search' ? 'input' : 'select'} ${id}`);
    expect(await tabTo(page, 'summary 1')).toEqual([
      ...['div Metrics', 'div Verdicts of the judge', 'summary Rubric', 'div Lanes', ...fields],
      'summary 1',
    ]);
    const first = rows(page).first();
    for (const key of ['Enter', 'Space']) {
      await page.keyboard.press(key);
      // The page is told that a case was opened after it was.
      await first.locator('.body').waitFor();
      await page.keyboard.press('Escape');
      await first.locator('.body').waitFor({ state: 'hidden' });
      expect(await describeFocus(page)).toMatch(/^summary/);
    }
    await page.getByLabel('Search').focus();
    await page.keyboard.type('message 70');
    await tabTo(page, 'select verdict');
    await page.keyboard.press('f');
    expect(await count(page)).toMatch(/^1 of 120 /);
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Result').selectOption('');
    await page.locator('#next').focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('#page').innerText()).toBe('page 2 of 3');
  });

  it.for(['light', 'dark'] as const)('can be read by everybody in %s', async (scheme) => {
    const page = await open(shortReport, scheme);
    expect(await rows(page).count()).toBe(20);
    await openCases(page, [0, 2]);
    await page.locator('summary.plain').click();
    expect(await listBarriers(page)).toEqual([]);
    await page.getByLabel('Search').fill('scrolls');
    await openCases(page);
    expect(await listBarriers(page)).toEqual([]);
  });

  it('fits a telephone', async () => {
    const page = await open(shortReport);
    await page.setViewportSize({ width: 390, height: 844 });
    await openCases(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await listBarriers(page)).toEqual([]);
  });

  it('opens 5,000 cases, and finds one of them', async () => {
    const page = await open(await writePage(toReplay(5_000, summary)));
    expect(await count(page)).toBe('5000 of 5000 cases, those that changed most first');
    await page.getByLabel('Search').fill('message 4321');
    expect(await count(page)).toMatch(/^1 of 5000 /);
  });
});
