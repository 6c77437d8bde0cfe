import { text as toText } from 'node:stream/consumers';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { replayInputSchema } from '../../../../src/domain/replay.ts';
import {
  createReplaySummary,
  type InReplays,
} from '../../../../src/modules/replays/report/create-replay-summary.ts';
import type { ReplaySummary } from '../../../../src/domain/replay-report.ts';
import { buildReport } from '../../../../src/modules/replays/report/build-report.ts';
import { writeReport } from '../../../../src/modules/replays/report/report-formats.ts';
import { buildConsole } from '../../../../scripts/build-console/build-console.ts';
import { findConsole } from '../../../../src/main/find-console.ts';
import { describeFocus, openWatched, startChromium } from '../../../labs/chromium/chromium.ts';
import { expectNoBarriers } from '../../../labs/console-lab.ts';
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

const hostile =
  '<img src="https://example.com/x.png" onerror="window.ran=1"></script><script>window.ran=2</script>';

function toCase(index: number): PlayedCase {
  const original = { message: `Message ${index}`, answer: `The answer to ${index} is a long one.` };
  if (index % 10 === 1) return { original, candidate: null };
  const judged = { baseline: { judged: 'tie' as const }, original };
  const long = 'A line of an answer that scrolls.\n'.repeat(100);
  if (index === 7) return { ...judged, original: { ...original, answer: long }, candidate: { answer: long } };
  if (index % 10 !== 0) return { ...judged, candidate: { judged: 'tie' } };
  const candidate = { queries: ['mail'], answer: `Short: ${index}.`, judged: 'better' as const };
  if (index === 50) return { ...judged, original: { message: hostile, answer: hostile }, candidate };
  return { ...judged, candidate };
}

function toReplay(size: number, stored: ReplaySummary | null = null): InReplays {
  const judge = { model: 'compatible/judge', rubric: 'Shorter is better.' };
  const input = replayInputSchema.parse({ selection: {}, judge });
  const cases = Array.from({ length: size }, (_, index) => toCase(index));
  return createPlayedReplay(cases, { input, summary: stored });
}

async function writePage(replay: InReplays): Promise<string> {
  const built = await buildReport(replay, reader, { replayId: 'replay' });
  const { frames } = await writeReport(built, { format: 'html', consoleFolder: findConsole() });
  return toText(frames);
}

beforeAll(async () => {
  [browser] = await Promise.all([startChromium(), buildConsole()]);
  report = await writePage(toReplay(120));
  summary = await createReplaySummary(toReplay(20), 'replay');
  shortReport = await writePage(toReplay(20, summary));
});

afterAll(() => browser.close());

/** Opens the report. When the test ends the page must have loaded nothing, and have had no problem. */
async function open(html = report, options: BrowserContextOptions = {}): Promise<Page> {
  const file = path.join(createTemporaryFolder(), 'report.html');
  writeFileSync(file, html);
  const address = pathToFileURL(file).href;
  const { page, problems, requests } = await openWatched(browser, options);
  onTestFinished(async () => {
    await page.context().close();
    expect({ problems, requests: [...new Set(requests)] }).toEqual({ problems: [], requests: [address] });
  });
  await page.goto(address);
  return page;
}

const phone = { viewport: { width: 390, height: 844 } };

const view = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
const rows = (page: Page) => page.getByRole('table', { name: 'Cases' }).getByRole('link');
const search = (page: Page, words: string) => page.getByLabel('Search in cases').fill(words);
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, exact: true });

/** Opens the first case that has these words. */
async function openCase(page: Page, words: string): Promise<void> {
  await view(page, 'Cases');
  await search(page, words);
  await expect.poll(() => rows(page).count()).toBe(1);
  await rows(page).click();
  await heading(page, /^Case /).waitFor();
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
  it('begins with the decision, and has its figures and what was tried', async () => {
    const page = await open();
    const decision = page.getByRole('region', { name: 'Decision' });
    await decision.getByText('24 cases that were right are wrong now').waitFor();
    await heading(page, 'A <b>shorter</b> prompt').waitFor();
    expect(await page.title()).toBe('A <b>shorter</b> prompt · Holdfast');
    const figures = page.getByRole('region', { name: 'Figures' });
    await figures.getByText('Worse by more than chance.').first().waitFor();
    const judge = page.getByRole('region', { name: 'The judge, compatible/judge' });
    await judge.getByText('It contradicted itself in 0 of 107').waitFor();
    await judge.getByText('13 runs without a verdict').waitFor();
    await page.getByText('0 connections opened, 0 credentials decrypted').waitFor();
    await view(page, 'What was tried');
    await page.getByText('the recorded version, run again').waitFor();
  });

  it('lists the cases that changed most first', async () => {
    const page = await open();
    await view(page, 'Cases');
    await page.getByRole('link', { name: 'All 120' }).waitFor();
    const first = page.getByRole('table', { name: 'Cases' }).getByRole('row').nth(1);
    await first.getByText('not run', { exact: true }).waitFor();
    await first.getByText('could not be run: The model did not answer.').waitFor();
  });

  it('finds cases by their words and by what the candidate did, together', async () => {
    const page = await open();
    await view(page, 'Cases');
    await search(page, 'short: 30');
    await expect.poll(() => rows(page).allInnerTexts()).toEqual(['Message 30']);
    await search(page, 'tool changed send_mail');
    await expect.poll(() => rows(page).count()).toBe(12);
    await page.getByRole('link', { name: 'Better 0' }).click();
    await page.getByText('No case fits').waitFor();
    await page.getByRole('link', { name: 'Worse 24' }).click();
    await search(page, 'message 70');
    await expect.poll(() => rows(page).allInnerTexts()).toEqual(['Message 70']);
    await page.reload();
    await expect.poll(() => rows(page).allInnerTexts()).toEqual(['Message 70']);
  });

  it('shows a case whole, with its answers side by side and the verdict of the judge', async () => {
    const page = await open();
    await openCase(page, 'short: 30');
    const text = await page.locator('main').innerText();
    for (const part of [
      'First difference, step 1: tool changed. look_up {"query":"a"} → send_mail {"query":"mail"}',
      'The judge says: better',
      'Hash of its prompt: 0123456789abcdef',
      'With the recorded answer second: It <b>says</b> more.',
      'conversation-30',
      'turn-30',
    ])
      expect(text).toContain(part);
    expect(await page.locator('ins').allInnerTexts()).toContain('Short:');
    const figures = page.getByRole('region', { name: 'Runs of the case' });
    const shown = await figures.locator('tr').allInnerTexts();
    expect(shown.map((row) => row.split('\t'))).toEqual([
      ['Figure', 'Recorded', 'Recorded version, again', 'Candidate'],
      ['Passed', 'yes', 'yes', 'no'],
      ['Outcome', 'completed', 'completed', 'completed'],
      ['Tool calls', '1', '1', '1'],
      ['Against the recorded ones', '', 'exact', 'different'],
      ['Scores', '', expect.stringContaining('judge 0.5'), expect.stringContaining('judge 1')],
      ['Judge', '', 'tie', 'better'],
      ['Blocked by rules', 'none', 'none', 'none'],
      ['Tokens in', '900', '900', '900'],
      ['of these from the cache', '100', '100', '100'],
      ['of these into the cache', '0', '0', '0'],
      ['Tokens out', '50', '50', '50'],
      ['Cost', '$0.002', '$0.002', '$0.002'],
      ['Took', '800 ms', '800 ms', '800 ms'],
    ]);
    const [left, right] = [page.locator('del').first(), page.locator('ins').first()];
    const [one, other] = [await left.boundingBox(), await right.boundingBox()];
    expect(one?.y).toBe(other?.y);
    expect((one?.x ?? 0) + (one?.width ?? 0)).toBeLessThan(other?.x ?? 0);
    await page.getByRole('link', { name: 'Next changed case' }).click();
    await heading(page, 'Case 40').waitFor();
    await page.goBack();
    await heading(page, 'Case 30').waitFor();
  });

  it('says why a case could not be run, beside what was recorded', async () => {
    const page = await open(shortReport);
    await openCase(page, 'turn-11');
    await page.getByText('The model did not answer.').waitFor();
    await page.getByText('The answer to 11 is a long one.').waitFor();
  });

  it('names the calls that are not answered any more', async () => {
    const page = await open(
      await writePage(createPlayedReplay([{ original: {}, candidate: { refused: true } }])),
    );
    await page.getByText('1 tool call that was answered when recorded is refused').waitFor();
    await openCase(page, 'message');
    await heading(page, 'Tool calls that are not answered any more').waitFor();
    await page.getByText('Turn 1, step 1: look_up got a refusal').waitFor();
  });

  it('says that a replay has not ended', async () => {
    const running = { status: 'running', settledAt: null, runs: { total: 40, done: 2, failed: 0 } } as const;
    const page = await open(await writePage(createPlayedReplay([{ original: {}, candidate: {} }], running)));
    await heading(page, /^So far: /).waitFor();
    await page.getByText('2 of 40 runs').waitFor();
  });

  it('runs no text of others, and shows it', async () => {
    const page = await open();
    await openCase(page, 'onerror');
    await page.getByText(hostile).first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  it('is used with the keyboard alone, and the focus is seen at every step', async () => {
    const page = await open();
    await page.getByRole('region', { name: 'Decision' }).waitFor();
    await tabTo(page, 'a Cases');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'All 120' }).waitFor();
    const passed = await tabTo(page, 'a Message 1');
    expect(passed.map((name) => name.replace(/^input .*/, 'input'))).toEqual([
      ...['a What was tried', 'a All 120', 'a Changed 24', 'a Worse 24', 'a Better 0'],
      ...['input', 'div Cases', 'a Message 1'],
    ]);
    await page.keyboard.press('Enter');
    await heading(page, 'Case 1').waitFor();
    await tabTo(page, 'a Next changed case');
    await page.keyboard.press('Enter');
    await heading(page, 'Case 11').waitFor();
  });

  it.for(['wide', 'narrow'])('can be read by everybody, light and dark, on a %s page', async (width) => {
    const page = await open(shortReport, width === 'narrow' ? phone : {});
    const expectReadable = async () => {
      await expectNoBarriers(page);
      expect(await page.evaluate(`document.documentElement.scrollWidth - innerWidth`)).toBe(0);
      expect(await page.locator('main').evaluate(sideways)).toBe(0);
    };
    await page.getByText('Rubric').click();
    await page.getByText('Shorter is better.').waitFor();
    await expectReadable();
    await view(page, 'What was tried');
    await heading(page, 'How').waitFor();
    await expectReadable();
    for (const words of ['turn-11', 'short: 10', 'scrolls']) {
      await openCase(page, words);
      await expectReadable();
      await page.getByRole('link', { name: /shorter/ }).click();
      await rows(page).first().waitFor();
      await expectReadable();
    }
  });

  it('opens 5,000 cases, draws those in sight, and finds one of them', async () => {
    const page = await open(await writePage(toReplay(5_000, summary)));
    await view(page, 'Cases');
    await page.getByRole('link', { name: 'All 5000' }).waitFor();
    expect(await rows(page).count()).toBeLessThan(100);
    await openCase(page, 'message 4321');
    await heading(page, 'Case 4321').waitFor();
  });

  it('says without JavaScript that it needs it', async () => {
    const page = await open(report, { javaScriptEnabled: false });
    expect(await page.locator('noscript').innerText()).toContain('This report needs JavaScript.');
  });
});

/** How much wider the content of an element is than the element. */
const sideways = ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) =>
  scrollWidth - clientWidth;

it('a report stays below 10 MB with 5,000 cases of long texts that all changed', async () => {
  const text = (start: string) => `${start} ${'</b>"\n早 '.repeat(250)}`;
  const original = { answer: text('a'), message: text('m') };
  const candidate = { answer: text('b') };
  const cases = Array.from({ length: 5_000 }, () => ({ original, candidate }));
  const html = await writePage(createPlayedReplay(cases, { summary }));
  expect(Buffer.byteLength(html)).toBeLessThan(10_000_000);
});
