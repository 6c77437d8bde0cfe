import type { Command } from 'commander';
import { addList, addOneId, run } from '../../../clients/cli/command.ts';
import { createListOption } from '../../../clients/cli/list-option.ts';
import { addJudge } from './judge-options.ts';
import type { MarginOptions } from './margins.ts';
import type { ReplayOptions } from './replay-body.ts';
import type { GateOptions } from './replay-commands.ts';
import type { ReportFiles } from './report-files.ts';

// Loaded when one of the commands runs.
const load = () => import('./replay-commands.ts');

/** Adds the commands that replay recorded turns. */
export function addReplays(program: Command): void {
  const replay = program
    .command('replay')
    .description(
      'Replay recorded turns with another version, and compare. Nothing outside is reached but the model.',
    )
    .option('--name <name>', 'the name of the replay');
  addSelection(replay);
  addCandidate(replay);
  addSettings(replay);
  addJudge(replay);
  addReportOptions(replay).action(async (_options: unknown, command: Command) => {
    await run<ReplayOptions & ReportFiles & GateOptions>(command, async (services, options) =>
      (await load()).runReplay(services, options),
    );
  });
  addStored(program);
}

function addSelection(command: Command): void {
  command
    .option('--agent <id or name>', 'turns of this agent')
    .addOption(createListOption('--conversation, --conversations <id...>', 'turns of these conversations'))
    .addOption(createListOption('--turn, --turns <id...>', 'these turns'))
    .option('--from <time>', 'turns that were started at this time or later; a day or a time')
    .option('--to <time>', 'turns that were started before this time')
    .addOption(
      createListOption(
        '--outcome, --outcomes <outcome...>',
        'turns that ended so (default: completed, failed, iteration_limit)',
      ),
    )
    .option('--tool <name>', 'turns that called this tool')
    .option('--tag <tag>', 'turns of conversations with this tag')
    .option('--sample <number>', 'so many of them at random')
    .option('--seed <number>', 'the same seed takes the same ones');
}

function addCandidate(command: Command): void {
  command
    .option('--candidate-version <version>', 'the number of a version of the agent, or the id of one')
    .option('--code <file>', 'the agent as a file of the code has it; nothing is pushed')
    .option('--model <name>', 'another model')
    .option('--instructions <file>', 'other instructions')
    .option('--tools <file>', 'changes of the tools, as JSON: remove, change, add')
    .option('--rules <file>', 'other rules, as JSON')
    .option('--temperature <number>', 'another temperature')
    .option('--max-output-tokens <number>', 'the most tokens of an answer of the model')
    .option(
      '--model-connection <id>',
      'the connection with the key of the model; "operator" for the key of the operator',
    );
}

function addSettings(command: Command): void {
  command
    .option('--mode <mode>', 'turns, each on its recorded history, or conversations (default: turns)')
    .option('--no-baseline', 'do not run the recorded version again')
    .option('--repeats <number>', 'how often each case is run in a lane (default: 1)')
    .option('--on-miss <rule>', 'for calls without a recorded answer: stop, stub, live_if_read_only')
    .option('--stubs <file>', 'the answers of --on-miss stub by tool, as JSON')
    .addOption(createListOption('--live <tool...>', 'really call these tools'))
    .addOption(
      createListOption(
        '--pass-trajectory, --pass-trajectories <kind...>',
        'a case passes with these trajectories (default: exact, unordered)',
      ),
    )
    .option('--pass-answer <rule>', 'and when its answer is exact, normalised, or any (default: any)')
    .option(
      '--prices <file>',
      'dollars for a million tokens by model, as JSON: input, output, cacheRead, cacheWrite',
    )
    .option('--model-calls-per-minute <number>', 'the most model calls of the replay in a minute')
    .option('--max-cost <dollars>', 'stop once the model calls have cost so much')
    .option('--max-tokens <number>', 'stop once they have taken so many tokens')
    .option('--concurrency <number>', 'how many cases run at the same time (default: 4)');
}

function addReportOptions(command: Command): Command {
  return command
    .option('--html <file>', 'write the report as a page')
    .option('--json <file>', 'write it as JSON')
    .option('--markdown <file>', 'write it as Markdown for a pull request')
    .option('--junit <file>', 'write it as JUnit XML')
    .addOption(
      createListOption(
        '--fail-under <conditions>',
        'exit with 1 unless met, such as trajectory=0.98,passed=0.95,cost=1.1x',
      ),
    )
    .addOption(
      createListOption(
        '--fail-on <conditions>',
        'exit with 1 when the verdict is worse or inconclusive, or a case or call has regressed: worse,inconclusive,regressed',
      ),
    )
    .addOption(
      createListOption(
        '--margin, --margins <shares>',
        'the smallest differences that matter (default: passed=0.1,scores=0.1,cost=0.1,latency=0.1)',
      ),
    );
}

function addStored(program: Command): void {
  const replays = program.command('replays').description('Look at replays and control them.');
  addList(replays, async (...given) => (await load()).listReplays(...given)).description(
    'List the replays of the workspace.',
  );
  addOneId(replays, 'show <replay>', async (...given) => (await load()).showReplay(...given)).description(
    'Show how far a replay is.',
  );
  addControl(replays, 'pause').description('Pause a replay.');
  addControl(replays, 'resume').description('Let a paused replay go on.');
  addControl(replays, 'cancel').description('Cancel a replay.');
  addReportOptions(replays.command('report <replay>'))
    .description('Print the report of a replay, and write it into files.')
    .action(async (id: string, _options: unknown, command: Command) => {
      await run<ReportFiles & GateOptions & MarginOptions>(command, async (services, options) =>
        (await load()).reportReplay(services, id, options),
      );
    });
}

function addControl(replays: Command, change: 'pause' | 'resume' | 'cancel'): Command {
  const usage = `${change} <replay>`;
  return addOneId(replays, usage, async (...given) => (await load()).controlReplay(change)(...given));
}
