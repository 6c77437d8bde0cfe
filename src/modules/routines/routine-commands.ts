import type { CreateRoutineData, HoldfastClient } from '../../clients/client/index.ts';
import type { RoutineRun, RoutineRunDetails } from '../../domain/routine.ts';
import {
  action,
  operation,
  type CommandServices,
  type CommandTable,
  type Given,
} from '../../clients/cli/command-table.ts';
import { toStuckLines } from '../../clients/cli/format.ts';
import { parseJson, readText } from '../../clients/cli/option-values.ts';
import { toSafeJson } from '../../clients/cli/visible-text.ts';
import { toEndLines, toStepLine, watchRun } from './watch-run-commands.ts';

/** How long one request waits for the end of a run before its waits are read, in milliseconds. */
const waitMs = 2_000;

/** The commands of routines and their runs. */
export const commands: CommandTable = {
  routines: 'Store routines and run them.',
  'routines list': operation('listRoutines', {
    description: 'List the routines of the workspace.',
    none: 'There are no routines yet.',
    line: ({ id, namespace, name, version }) => [id, `${namespace}/${name}`, `version ${version}`],
  }),
  'routines create <file>': operation('createRoutine', {
    description: 'Store a document as a routine, or as the next version of one.',
    fields: { document: false, agentId: 'the agent that the routine acts as' },
    options: { '--routine <routine>': 'the routine that gets a new version' },
    input: async ({ id: file }) => ({ document: await readText(file) }),
    call: ({ client }, { input, options: { routine } }: Given<{ routine?: string }>) => {
      const body = input as CreateRoutineData['body'];
      return routine === undefined ? client.routines.create(body) : client.routines.update(routine, body);
    },
    lines: ({ id, version }) => `Routine ${id} has version ${version}.`,
  }),
  'routines show <routine>': operation('getRoutine', {
    description: 'Print the document of a routine.',
    options: { '--as <form>': 'mermaid or svg for its flowchart' },
    lines: ({ document, mermaid, svg }, { options: { as } }: Given<{ as?: string }>) =>
      as === 'mermaid' ? mermaid : as === 'svg' ? svg : toSafeJson(document, 2),
  }),
  'routines delete <routine>': operation('deleteRoutine', {
    description: 'Delete a routine. Runs that have begun go on.',
    lines: (_, { id }) => `Routine ${id} is deleted. Runs that have begun go on.`,
  }),
  'routines run <routine>': operation('startRoutineRun', {
    description: 'Start a run.',
    fields: { input: { flags: '--input <json>', text: 'the input', parse: parseJson }, waitMs: false },
    options: {
      '--wait': 'wait until the run is over',
      '--idempotency-key <key>': 'the same key starts the same run once',
    },
    call: startRun,
    lines: toRunLines,
  }),
  'routine-runs': 'Look at runs of routines and control them.',
  'routine-runs list': operation('listRoutineRuns', {
    description: 'List runs, newest first.',
    none: 'There are no runs yet.',
    line: toColumns,
  }),
  'routine-runs show <run>': operation('getRoutineRun', {
    description: 'Show a run with its steps.',
    lines: toRunLines,
  }),
  'routine-runs watch <run>': action({
    description: 'Print the steps of a run until it has ended.',
    options: { '--json': 'print JSON' },
    run: watchRun,
  }),
  'routine-runs pause <run>': operation('pauseRoutineRun', {
    description: 'Pause a run after the steps that run.',
    lines: toRunLines,
  }),
  'routine-runs resume <run>': operation('resumeRoutineRun', {
    description: 'Let a paused run go on.',
    lines: toRunLines,
  }),
  'routine-runs stop <run>': operation('stopRoutineRun', {
    description: 'Stop a run after the steps that run.',
    fields: { mode: { flags: '--now', text: 'cancel the steps that run', parse: () => 'now' } },
    lines: toRunLines,
  }),
};

type Start = Parameters<HoldfastClient['routines']['start']>[1];

/** Starts a run. With `wait` it says what the run waits for, on the standard error, until it has ended. */
async function startRun(
  { client, warn }: CommandServices,
  { id, input: given, options }: Given<{ wait?: boolean; idempotencyKey?: string }>,
): Promise<RoutineRunDetails> {
  const { wait = false, idempotencyKey = crypto.randomUUID() } = options;
  const body = { input: {}, ...given, ...(wait ? { waitMs } : {}) } as Start;
  const start = () => client.routines.start(id, body, { idempotencyKey });
  let run = await start();
  if (!wait) return run;
  const { createWaitAnnouncer } = await import('../../clients/cli/run-waits.ts');
  const announce = createWaitAnnouncer(client, warn);
  while (run.settledAt === null) {
    await announce(run);
    // The same key finds the same run.
    run = await start();
  }
  return run;
}

function toColumns({ id, createdAt, routineName, version, status }: RoutineRun): string[] {
  return [id, createdAt, `${routineName} ${version}`, status];
}

function toRunLines(run: RoutineRunDetails): string[] {
  return [
    toColumns(run).join('  '),
    ...toStuckLines(run.stuck),
    ...run.steps.map(toStepLine),
    ...toEndLines(run),
  ];
}
