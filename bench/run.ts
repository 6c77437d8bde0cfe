import { writeFileSync } from 'node:fs';
import { loadConfig } from '../src/main/config.ts';
import { listenForStop } from '../src/main/dev/stop-requests.ts';
import { benchHelp, parseBenchOptions, type BenchOptions } from './options.ts';
import { toContextReport } from './context/report-context.ts';
import { runContext } from './context/run-context.ts';
import { toFairnessReport } from './fairness/report-fairness.ts';
import { runFairness } from './fairness/run-fairness.ts';
import { toPrefixReport } from './prefix/report-prefix.ts';
import { runPrefix } from './prefix/run-prefix.ts';
import { isFlat, toFilesReport } from './files/report-files.ts';
import { runFiles } from './files/run-files.ts';
import { toPeersReport } from './peers/report-peers.ts';
import { runPeers } from './peers/run-peers.ts';
import { toReport } from './report.ts';
import { runBench } from './run-bench.ts';
import { toReplaysReport } from './replays/report-replays.ts';
import { runReplays } from './replays/run-replays.ts';
import { toRoutinesReport } from './routines/report-routines.ts';
import { runRoutines } from './routines/run-routines.ts';
import { toScaleReport } from './scale/report-scale.ts';
import { runScale } from './scale/run-scale.ts';
import { toStreamsLoadReport } from './scale/report-streams-load.ts';
import { runStreamsLoad } from './scale/run-streams-load.ts';
import { toSwarmsReport } from './swarms/report-swarms.ts';
import { runSwarms } from './swarms/run-swarms.ts';
import { toToolsReport } from './tools/report-tools.ts';
import { runToolsBench } from './tools/run-tools-bench.ts';
import { toWaitingReport } from './waiting/report-waiting.ts';
import { runWaiting } from './waiting/run-waiting.ts';

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
  if (options.waiting !== undefined) {
    const figures = await runWaiting({ config, count: options.waiting, say, signal });
    return { figures, report: toWaitingReport(figures), failed: false };
  }
  if (options.replays !== undefined) {
    const figures = await runReplays({ config, count: options.replays, say, signal });
    return { figures, report: toReplaysReport(figures), failed: false };
  }
  if (options.routines !== undefined) {
    const { routines: count, profile } = options;
    const figures = await runRoutines({ config, count, profile, say, signal });
    return { figures, report: toRoutinesReport(figures), failed: false };
  }
  if (options.swarms !== undefined) {
    const { swarms: count, quick, profile } = options;
    const figures = await runSwarms({ config, count, rounds: quick ? 3 : 10, profile, say, signal });
    return { figures, report: toSwarmsReport(figures), failed: false };
  }
  if (options.context !== undefined) {
    const figures = await runContext({ config, turns: options.context, say, signal });
    return { figures, report: toContextReport(figures), failed: false };
  }
  if (options.files !== undefined) {
    const figures = await runFiles({ config, uploads: options.files, say, signal });
    return { figures, report: toFilesReport(figures), failed: !isFlat(figures) };
  }
  if (options.fairness) {
    const durationMs = options.quick ? 5_000 : 15_000;
    const figures = await runFairness({ config, waiting: 1_000, durationMs, say, signal });
    return { figures, report: toFairnessReport(figures), failed: false };
  }
  if (options.prefix) {
    const figures = await runPrefix({ config, turns: options.quick ? 10 : 100, say, signal });
    return { figures, report: toPrefixReport(figures), failed: figures.some(({ changes }) => changes > 0) };
  }
  if (options.tools) {
    const figures = await runToolsBench({ config, count: options.quick ? 10 : 50, say, signal });
    return { figures, report: toToolsReport(figures), failed: false };
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
