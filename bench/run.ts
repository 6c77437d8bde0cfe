import { writeFileSync } from 'node:fs';
import { loadConfig } from '../src/main/config.ts';
import { listenForStop } from '../src/main/dev/stop-requests.ts';
import { benchHelp, parseBenchOptions } from './options.ts';
import { toPeersReport } from './peers/report-peers.ts';
import { runPeers } from './peers/run-peers.ts';
import { toReport } from './report.ts';
import { runBench } from './run-bench.ts';
import { toToolsReport } from './tools/report-tools.ts';
import { runToolsBench } from './tools/run-tools-bench.ts';

const say = (line: string) => console.log(line);
const signal = listenForStop(say);

async function main(commandArguments: string[]): Promise<void> {
  const options = parseBenchOptions(commandArguments);
  if (options.help) {
    say(benchHelp);
    return;
  }
  if (options.tools) {
    const rows = await runToolsBench({ config: loadConfig(), count: options.quick ? 10 : 50, say, signal });
    say(`\n${toToolsReport(rows)}`);
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  if (options.peers) {
    const figures = await runPeers({ ...options, config: loadConfig(), say, signal });
    say(`\n${toPeersReport(figures)}`);
    if (figures.problems.length > 0) process.exitCode = 1;
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
    return;
  }
  const figures = await runBench({ options, config: loadConfig(), say, signal });
  say(`\n${toReport(figures)}`);
  if (figures.problems.length > 0) process.exitCode = 1;
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
