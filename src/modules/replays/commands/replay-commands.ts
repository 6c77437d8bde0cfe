import { action, operation, type CommandTable, type OptionRows } from '../../../clients/cli/command-table.ts';
import { toOneLine } from '../../../domain/text.ts';
import type { ReplayOptions } from './replay-body.ts';
import { toProgressLine } from './replay-progress.ts';
import type { ReportOptions } from './run-replay.ts';

const selection: OptionRows = {
  '--agent <id or name>': 'turns of this agent',
  '--conversation, --conversations <id...>': { text: 'turns of these conversations', list: true },
  '--turn, --turns <id...>': { text: 'these turns', list: true },
  '--from <time>': 'turns that were started at this time or later; a day or a time',
  '--to <time>': 'turns that were started before this time',
  '--outcome, --outcomes <outcome...>': {
    text: 'turns that ended so (default: completed, failed, iteration_limit)',
    list: true,
  },
  '--tool <name>': 'turns that called this tool',
  '--tag <tag>': 'turns of conversations with this tag',
  '--sample <number>': 'so many of them at random',
  '--seed <number>': 'the same seed takes the same ones',
};

const candidate: OptionRows = {
  '--candidate-version <version>': 'the number of a version of the agent, or the id of one',
  '--code <file>': 'the agent as a file of the code has it; nothing is pushed',
  '--model <name>': 'another model',
  '--instructions <file>': 'other instructions',
  '--tools <file>': 'changes of the tools, as JSON: remove, change, add',
  '--rules <file>': 'other rules, as JSON',
  '--temperature <number>': 'another temperature',
  '--max-output-tokens <number>': 'the most tokens of an answer of the model',
  '--model-connection <id>':
    'the connection with the key of the model; "operator" for the key of the operator',
};

const settings: OptionRows = {
  '--stubs <file>': 'the answers of --on-miss stub by tool, as JSON',
  '--live <tool...>': { text: 'really call these tools', list: true },
  '--pass-trajectory, --pass-trajectories <kind...>': {
    text: 'a case passes with these trajectories (default: exact, unordered)',
    list: true,
  },
  '--pass-answer <rule>': 'and when its answer is exact, normalised, or any (default: any)',
  '--prices <file>': 'dollars for a million tokens by model, as JSON: input, output, cacheRead, cacheWrite',
  '--max-cost <dollars>': 'stop once the model calls have cost so much',
  '--max-tokens <number>': 'stop once they have taken so many tokens',
  '--judge <model>': 'a model that says which answer is better, the recorded one or the new one',
  '--rubric <file>': 'by what it judges',
  '--labels <file>': 'verdicts of people to compare it with, as JSON: better, worse or tie by turn id',
  '--judge-connection <id>': 'the connection with its key (default: the key of the operator)',
};

const report: OptionRows = {
  '--html <file>': 'write the report as a page',
  '--json <file>': 'write it as JSON',
  '--markdown <file>': 'write it as Markdown for a pull request',
  '--junit <file>': 'write it as JUnit XML',
  '--fail-under <conditions>': {
    text: 'exit with 1 unless met, such as trajectory=0.98,passed=0.95,cost=1.1x',
    list: true,
  },
  '--fail-on <conditions>': {
    text: 'exit with 1 when the verdict is worse or inconclusive, or a case or call has regressed: worse,inconclusive,regressed',
    list: true,
  },
  '--margin, --margins <shares>': {
    text: 'the smallest differences that matter (default: passed=0.1,scores=0.1,cost=0.1,latency=0.1)',
    list: true,
  },
};

const change = (name: 'pauseReplay' | 'resumeReplay' | 'cancelReplay', description: string) =>
  operation(name, { description, lines: ({ status }, { id }) => `Replay ${id} is ${status}.` });

/** The commands that replay recorded turns, and control replays. */
export const commands: CommandTable = {
  replay: action<ReplayOptions & ReportOptions>({
    description:
      'Replay recorded turns with another version, and compare. Nothing outside is reached but the model.',
    operation: 'createReplay',
    fields: {
      ...{ selection: false, candidate: false, toolAnswers: false, stubs: false, pass: false },
      ...{ ceiling: false, judge: false, prices: false, margins: false, seed: false },
      name: 'the name of the replay',
      mode: 'turns, each on its recorded history, or conversations (default: turns)',
      baseline: 'do not run the recorded version again',
      repeats: 'how often each case is run in a lane (default: 1)',
      onMiss: {
        flags: '--on-miss <rule>',
        text: 'for calls without a recorded answer: stop, stub, live_if_read_only',
      },
      modelCallsPerMinute: 'the most model calls of the replay in a minute',
      concurrency: 'how many cases run at the same time (default: 4)',
    },
    options: { ...selection, ...candidate, ...settings, ...report },
    run: async (services, given) => (await import('./run-replay.ts')).runReplay(services, given),
  }),
  replays: 'Look at replays and control them.',
  'replays list': operation('listReplays', {
    description: 'List the replays of the workspace.',
    none: 'There are no replays yet.',
    line: ({ id, createdAt, name, ...progress }) => [
      id,
      createdAt,
      toOneLine(name, 40),
      toProgressLine(progress),
    ],
  }),
  'replays show <replay>': operation('getReplay', {
    description: 'Show how far a replay is.',
    lines: (replay) => `${replay.name}: ${toProgressLine(replay)}`,
  }),
  'replays pause <replay>': change('pauseReplay', 'Pause a replay.'),
  'replays resume <replay>': change('resumeReplay', 'Let a paused replay go on.'),
  'replays cancel <replay>': change('cancelReplay', 'Cancel a replay.'),
  'replays report <replay>': action<ReportOptions>({
    description: 'Print the report of a replay, and write it into files.',
    options: report,
    run: async (services, { id, options }) =>
      (await import('./run-replay.ts')).reportReplay(services, id, options),
  }),
};
