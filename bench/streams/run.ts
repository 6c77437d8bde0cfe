import { loadConfig } from '../../src/main/config.ts';
import { listenForStop } from '../../src/main/dev/stop-requests.ts';
import { startEverything } from '../holdfast/start-everything.ts';
import { describeMachine } from '../machine.ts';
import { makeFolder } from '../place.ts';
import { measureStreams } from './measure-streams.ts';
import { toStreamsReport } from './report-streams.ts';

const streams = 1_000;
const say = (line: string) => console.log(line);
const signal = listenForStop(say);

/** Measures the API of `npm start` without and with idle event streams, side by side, in a separate data folder. */
async function main(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const config = loadConfig();
  const dataDir = makeFolder(config.dataDir, stack);
  say('starting Postgres, Temporal and the API (usually 10 seconds) …');
  const environment = {
    HOLDFAST_STREAMS_PER_KEY: String(streams),
    HOLDFAST_STREAMS_PER_WORKSPACE: String(streams),
  };
  const api = await startEverything({ config, dataDir, environment, worker: false, signal });
  stack.defer(api.stop);
  const { loadBefore, cores } = describeMachine();
  say(`measuring on ${cores} cores; the load of the minute before was ${loadBefore.toFixed(1)}`);
  const rows = await measureStreams(api, { streams, requests: 150, rounds: 4 });
  const { text, passed } = toStreamsReport(rows, streams);
  say(`\n${text}`);
  if (!passed) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  if (error !== signal.reason) console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
// Ends the process even when a library keeps a socket or a timer open.
process.exit();
