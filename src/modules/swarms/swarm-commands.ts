import { operation, type CommandTable, type Given } from '../../clients/cli/command-table.ts';
import { toStuckLines } from '../../clients/cli/format.ts';
import { readJson } from '../../clients/cli/option-values.ts';
import type { CreateSwarmData, HoldfastClient, SwarmDetails } from '../../clients/client/index.ts';
import { toOneLine } from '../../domain/text.ts';

interface StartOptions {
  file?: string;
  wait?: boolean;
}

/** How often a swarm is read whose end a command waits for, in milliseconds. */
const pollMs = 500;

const toStatus = ({ id, status }: { id: string; status: string }) => `Swarm ${id} is ${status}.`;

/** The commands of swarms. */
export const commands: CommandTable = {
  swarms: 'Let several agents work on one goal.',
  'swarms start [goal...]': operation('createSwarm', {
    description: 'Start a swarm with a leader that plans, or with the request in a file.',
    fields: {
      kind: false,
      goal: false,
      teamId: false,
      teamConfig: false,
      subtasks: false,
      limits: false,
    },
    options: {
      '--file <file>': 'the request as JSON: kind, goal, teamConfig, subtasks, limits',
      '--wait': 'wait for its end',
    },
    input: ({ words, input, options: { file } }: Given<StartOptions>) =>
      file === undefined ? toSimple(words.join(' '), input) : readJson(file),
    call: async ({ client }, { input, options: { wait } }) => {
      const swarm = await client.swarms.create(input as CreateSwarmData['body']);
      return wait ? waitForEnd(client, swarm) : swarm;
    },
    lines: toSwarmLines,
  }),
  'swarms list': operation('listSwarms', {
    description: 'List the swarms of the workspace.',
    none: 'The workspace has no swarms.',
    line: ({ id, status, createdAt, goal }) => [id, createdAt, status.padEnd(9), toOneLine(goal, 60)],
  }),
  'swarms show <swarm>': operation('getSwarm', {
    description: 'Show the shared state of a swarm.',
    lines: toSwarmLines,
  }),
  'swarms update <swarm>': operation('updateSwarm', {
    description: 'Change the shared state of a swarm.',
    fields: false,
    options: {
      '--file <file>': { text: 'the change as JSON: subTasks, blackboard, teamConfig', required: true },
    },
    input: ({ options: { file } }: Given<{ file: string }>) => readJson(file),
    lines: toSwarmLines,
  }),
  'swarms pause <swarm>': operation('pauseSwarm', {
    description: 'Let nothing more begin.',
    lines: toStatus,
  }),
  'swarms resume <swarm>': operation('resumeSwarm', {
    description: 'Let a paused swarm go on.',
    lines: toStatus,
  }),
  'swarms end <swarm>': operation('endSwarm', {
    description: 'End a swarm once what runs has finished.',
    fields: {
      mode: { flags: '--force', text: 'stop what runs', parse: () => 'force' },
      reason: 'the reason',
    },
    lines: toStatus,
  }),
};

function toSimple(goal: string, { leader, ...input }: Record<string, unknown>): object {
  if (leader === undefined || goal === '')
    throw new Error('Give a goal and --leader, or the request with --file.');
  return { ...input, kind: 'simple', goal, leader };
}

async function waitForEnd(client: HoldfastClient, swarm: SwarmDetails): Promise<SwarmDetails> {
  let known = swarm;
  while (known.settledAt === null) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    known = await client.swarms.get(swarm.id);
  }
  return known;
}

function toSwarmLines(swarm: SwarmDetails) {
  const { id, status, reason, goal, result, state, pendingActions } = swarm;
  return [
    `Swarm ${id} is ${status}${reason === null ? '' : `: ${reason}`}`,
    ...toStuckLines(swarm.stuck),
    `Goal: ${toOneLine(goal, 200)}`,
    ...state.subTasks.map(toSubtaskLine),
    ...state.blackboard.map((item) => `  ${item.id} = ${toOneLine(JSON.stringify(item.value), 100)}`),
    ...state.messages.map(
      ({ topic, from, text }) => `  ${from.agentName} to ${topic}: ${toOneLine(text, 100)}`,
    ),
    ...pendingActions.map(
      (action) =>
        `  ${action.tool} of ${action.subtaskId ?? 'the leader'} waits for a decision: ${action.id}`,
    ),
    result !== null && `Result: ${toOneLine(result, 1_000)}`,
  ];
}

function toSubtaskLine({
  id,
  status,
  result,
  error,
  ...subtask
}: SwarmDetails['state']['subTasks'][number]): string {
  const needed = subtask.depends_on.length > 0 ? `  after ${subtask.depends_on.join(', ')}` : '';
  return `  ${id}  ${status}${needed}  ${toOneLine(result ?? error?.message ?? '', 100)}`.trimEnd();
}
