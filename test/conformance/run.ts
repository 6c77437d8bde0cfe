import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { loadConfig } from '../../src/main/config.ts';
import { listenForStop } from '../../src/main/dev/stop-requests.ts';
import { notOffered } from './not-offered.ts';
import { runScenario, type Outcome } from './run-scenario.ts';
import { listScenarios, revisions, type Scenario } from './scenarios.ts';
import { setStage } from './stage.ts';

/** How many scenarios run at the same time; some of them measure the time of a request. */
const parallel = 3;

const say = (line: string) => console.log(line);
const signal = listenForStop(say);

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string' }, revision: { type: 'string' } } });
  const listed = revisions
    .filter((revision) => values.revision === undefined || values.revision === revision)
    .flatMap(listScenarios);
  const wanted = listed.filter(({ name }) => values.only === undefined || name.includes(values.only));
  if (wanted.length === 0) throw new Error('The suite has no such scenario; expected a part of a name.');
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-conformance-'));
  let isKept = true;
  await using stack = new AsyncDisposableStack();
  stack.defer(() => {
    if (!isKept) rmSync(folder, { recursive: true, force: true });
  });
  say(`Starting Postgres, Temporal, the API and a worker (data and logs in ${folder}) …`);
  const stage = await setStage({ config: loadConfig(), folder, say, signal, stack });
  const limit = pLimit(parallel);
  const outcomes = await Promise.all(
    wanted.filter(isOffered).map((scenario) =>
      limit(async () => {
        signal.throwIfAborted();
        const outcome = await runScenario(scenario, { stage, folder });
        sayOutcome(outcome);
        return outcome;
      }),
    ),
  );
  sayReport(wanted, outcomes);
  if (outcomes.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
  else isKept = false;
}

function isOffered({ name }: Scenario): boolean {
  return notOffered[name] === undefined;
}

function sayOutcome({ revision, name, problems }: Outcome): void {
  say(`${problems.length === 0 ? 'passed' : 'FAILED'} ${revision} ${name}`);
  for (const problem of problems) say(`    ${problem.replaceAll('\n', '\n    ')}`);
}

function sayReport(wanted: Scenario[], outcomes: Outcome[]): void {
  for (const revision of revisions) {
    const passed = outcomes.filter((one) => one.revision === revision && one.problems.length === 0);
    const run = outcomes.filter((one) => one.revision === revision);
    if (run.length === 0) continue;
    const others = wanted.filter((one) => one.revision === revision && !isOffered(one));
    say(
      `\n${revision}: ${passed.length} of ${run.length} scenarios passed, ${others.length} are not offered:`,
    );
    for (const { name, isRequired } of others) {
      say(`    ${name}${isRequired ? ' (required)' : ''}: ${notOffered[name]}`);
    }
  }
}

try {
  await main();
} catch (error) {
  if (error !== signal.reason) console.error(error);
  process.exitCode = 1;
}
// Ends the process even when a library keeps a socket or a timer open.
process.exit();
