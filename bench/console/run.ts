import { loadConfig } from '../../src/main/config.ts';
import { findRunning } from '../../src/main/running.ts';
import { listenForStop } from '../../src/main/dev/stop-requests.ts';
import { openWatched, startChromium } from '../../test/labs/chromium/chromium.ts';
import { describeMachine } from '../machine.ts';
import { startEverything } from '../holdfast/start-everything.ts';
import { makeFolder } from '../place.ts';
import { fillWorkspace } from './fill-workspace.ts';
import { measureFrames, quantile } from './measure-frames.ts';

const turns = 100_000;
const events = 2_000;
/** At 60 frames a second each takes 16.7 ms; browsers round the times. */
const mostMs = 17;
const say = (line: string) => console.log(line);
const signal = listenForStop(say);

/** Measures the frames of the console with a list of 100,000 turns and a turn of 2,000 events. */
async function main(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const config = loadConfig();
  const dataDir = makeFolder(config.dataDir, stack);
  say('starting Postgres, Temporal, the API and a worker (usually 20 seconds) …');
  const api = await startEverything({ config, dataDir, environment: {}, worker: true, signal });
  stack.defer(api.stop);
  const databaseUrl = findRunning(dataDir)?.postgres.url ?? '';
  say(`filling a workspace with ${turns} turns, and one turn with ${events} events …`);
  const turnId = await fillWorkspace({ ...api, databaseUrl, turns, events });
  const browser = await startChromium();
  stack.defer(() => browser.close());
  const { page } = await openWatched(browser, { viewport: { width: 1440, height: 900 } });
  await page.goto(`${api.origin}/runs#key=${api.apiKey}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('table').waitFor();
  const { loadBefore, cores } = describeMachine();
  say(`measuring on ${cores} cores; the load of the minute before was ${loadBefore.toFixed(1)}`);
  const places = [
    { name: `list of ${turns} runs`, path: '/runs', selector: '[role=table]' },
    { name: `timeline of ${events} events`, path: `/runs/${turnId}`, selector: '[role=region]' },
    { name: `conversation of ${events} events`, path: `/runs/${turnId}?view=conversation`, selector: 'main' },
  ];
  for (const { name, path, selector } of places) {
    await page.goto(`${api.origin}${path}`);
    await page.locator(selector).locator('a, summary').filter({ visible: true }).nth(10).waitFor();
    const frames = await measureFrames(page, selector, 6);
    const [median, p95] = [quantile(frames, 0.5), quantile(frames, 0.95)];
    const verdict = median <= mostMs && p95 <= 2 * mostMs ? 'PASS' : 'FAIL';
    say(
      `${name.padEnd(30)} ${frames.length} frames; median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms  ${verdict}`,
    );
    if (verdict === 'FAIL') process.exitCode = 1;
  }
}

try {
  await main();
} catch (error) {
  if (error !== signal.reason) console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
// Ends the process even when a library keeps a socket or a timer open.
process.exit();
