import { writeFileSync } from 'node:fs';
import { loadConfig } from '../../src/main/config.ts';
import { listenForStop } from '../../src/main/dev/stop-requests.ts';
import { describeMachine } from '../machine.ts';
import { faultsHelp, parseFaultOptions } from './options.ts';
import { listFailures, toFaultReport } from './report.ts';
import { runFaults } from './run-faults.ts';

const say = (line: string) => console.log(line);
const signal = listenForStop(say);

async function main(commandArguments: string[]): Promise<void> {
  const { help, json, scenarios } = parseFaultOptions(commandArguments);
  if (help) {
    say(faultsHelp);
    return;
  }
  const machine = describeMachine();
  const results = await runFaults({ scenarios, config: loadConfig(), say, signal });
  say(`\n${toFaultReport(results)}`);
  if (listFailures(results).length > 0) process.exitCode = 1;
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine, results }, null, 2)}\n`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (error !== signal.reason) console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
// Ends the process even when a library keeps a socket or a timer open.
process.exit();
