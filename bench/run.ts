import { writeFileSync } from 'node:fs';
import { loadConfig } from '../src/main/config.ts';
import { listenForStop } from '../src/main/dev/stop-requests.ts';
import { benchHelp, parseBenchOptions, type BenchOptions } from './options.ts';
import { toPeersReport } from './peers/report-peers.ts';
import { runPeers } from './peers/run-peers.ts';
import { toReport } from './report.ts';
import { runBench } from './run-bench.ts';
import { toReplaysReport } from './replays/report-replays.ts';
import { runReplays } from './replays/run-replays.ts';
import { toScaleReport } from './scale/report-scale.ts';
import { runScale } from './scale/run-scale.ts';
import { toStreamsLoadReport } from './scale/report-streams-load.ts';
import { runStreamsLoad } from './scale/run-streams-load.ts';

const say = (line: string) => console.log(line);
const signal = listenForStop(say);

interface Outcome {
  report: string;
  figures: unknown;
  failed: boolean;
}

async function measure(options: BenchOptions): Promise<Outcome> {
  const config = loadConfig();
  if (options.streamsLoad) {
    const figures = await runStreamsLoad({ ...options, config, say, signal });
    return { figures, report: toStreamsLoadReport(figures), failed: figures.problems.length > 0 };
  }
  if (options.scale) {
    const figures = await runScale({ config, parts: options.scale, say, signal });
    return { figures, report: toScaleReport(figures), failed: false };
  }
  if (options.replays !== undefined) {
    const figures = await runReplays({ config, count: options.replays, say, signal });
    return { figures, report: toReplaysReport(figures), failed: false };
  }
  if (options.peers) {
    const figures = await runPeers({ ...options, config, say, signal });
    return { figures, report: toPeersReport(figures), failed: figures.problems.length > 0 };
  }
  const figures = await runBench({ options, config, say, signal });
  return { figures, report: toReport(figures), failed: figures.problems.length > 0 };
}

async function main(commandArguments: string[]): Promise<void> {
  const options = parseBenchOptions(commandArguments);
  if (options.help) {
    say(benchHelp);
    return;
  }
  const { figures, report, failed } = await measure(options);
  say(`\n${report}`);
  if (failed) process.exitCode = 1;
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (error !== signal.reason) console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
// Ends the process even when a library keeps a socket or a timer open.
process.exit();
