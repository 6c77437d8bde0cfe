import { readFile } from 'node:fs/promises';
import { HoldfastApiError } from '../../clients/client/index.ts';
import type { RoutineRun, RoutineRunDetails, RoutineStep } from '../../domain/routine.ts';
import type { ChatServices } from '../../clients/cli/chat-services.ts';
import { toStuckLines } from '../../clients/cli/format.ts';
import { readAll } from '../../clients/cli/pages.ts';
import { createWaitAnnouncer } from '../../clients/cli/run-waits.ts';
import { printJson, type OutputOptions } from '../../clients/cli/output.ts';

type CommandServices = Pick<ChatServices, 'client' | 'terminal'>;

/** How long one request waits for the end of a run before its waits are read, in milliseconds. */
const waitMs = 2_000;

/** Lists the routines, one line each. */
export async function listRoutines({ client, terminal }: CommandServices, options: OutputOptions) {
  const routines = await readAll((page) => client.routines.list(page));
  if (options.json) {
    printJson(terminal, routines);
    return;
  }
  if (routines.length === 0) terminal.line('There are no routines yet.');
  for (const { id, namespace, name, version } of routines)
    terminal.line(`${id}  ${namespace}/${name}  version ${version}`);
}

/** Stores a document as a new routine, or as the next version of one. */
export async function storeRoutine(
  { client, terminal }: CommandServices,
  file: string,
  options: OutputOptions & { agent?: string; routine?: string },
): Promise<void> {
  const document = await readFile(file, 'utf8');
  const { agent: agentId, routine: id } = options;
  const input = { document, ...(agentId === undefined ? {} : { agentId }) };
  const routine = await (id === undefined
    ? client.routines.create(input)
    : client.routines.update(id, input));
  if (options.json) printJson(terminal, routine);
  else terminal.line(`Routine ${routine.id} has version ${routine.version}.`);
}

/** Prints the document of a routine, or its flowchart. */
export async function showRoutine(
  { client, terminal }: CommandServices,
  id: string,
  options: OutputOptions & { as?: string },
): Promise<void> {
  const routine = await client.routines.get(id);
  if (options.as === 'mermaid') terminal.line(routine.mermaid);
  else if (options.as === 'svg') terminal.line(routine.svg);
  else printJson(terminal, options.json ? routine : routine.document);
}

/** Deletes a routine; its runs continue. */
export async function deleteRoutine({ client, terminal }: CommandServices, id: string): Promise<void> {
  await client.routines.delete(id);
  terminal.line(`Routine ${id} is deleted. Runs that have begun go on.`);
}

/** Starts a run, and with `wait` says what it waits for, on the standard error, and shows how it ended. */
export async function runRoutine(
  { client, terminal, warn }: CommandServices & Pick<ChatServices, 'warn'>,
  id: string,
  options: OutputOptions & { input?: string; wait?: boolean; idempotencyKey?: string },
): Promise<void> {
  const input = parseInput(options.input ?? '{}');
  const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
  const start = () =>
    client.routines.start(id, { input, ...(options.wait ? { waitMs } : {}) }, { idempotencyKey });
  const announce = createWaitAnnouncer(client, warn);
  let run = await start();
  while (options.wait && run.settledAt === null) {
    await announce(run);
    // The same key finds the same run.
    run = await start();
  }
  printRun({ client, terminal }, run, options);
}

function parseInput(text: string): never {
  try {
    return JSON.parse(text) as never;
  } catch {
    throw new HoldfastApiError('INVALID_INPUT', '--input is not JSON.');
  }
}

/** Lists the runs, one line each. */
export async function listRuns(
  { client, terminal }: CommandServices,
  options: OutputOptions & { routine?: string },
): Promise<void> {
  const routineId = options.routine;
  const more = routineId === undefined ? {} : { routineId };
  const runs = await readAll((page) => client.routineRuns.list({ ...page, ...more }));
  if (options.json) {
    printJson(terminal, runs);
    return;
  }
  if (runs.length === 0) terminal.line('There are no runs yet.');
  for (const run of runs) terminal.line(toLine(run));
}

function toLine({ id, createdAt, routineName, version, status }: RoutineRun): string {
  return `${id}  ${createdAt}  ${routineName} ${version}  ${status}`;
}

/** Shows a run with its steps. */
export async function showRun(services: CommandServices, id: string, options: OutputOptions): Promise<void> {
  printRun(services, await services.client.routineRuns.get(id), options);
}

function printRun({ terminal }: CommandServices, run: RoutineRunDetails, options: OutputOptions): void {
  if (options.json) {
    printJson(terminal, run);
    return;
  }
  for (const line of [toLine(run), ...toStuckLines(run.stuck)]) terminal.line(line);
  for (const step of run.steps) terminal.line(toStepLine(step));
  printRunEnd(terminal, run);
}

/** A step of a run as a line. */
export function toStepLine({ number, name, state, waitsFor, outputPreview }: RoutineStep): string {
  return `  ${number}. ${name}  ${state}  ${waitsFor ?? outputPreview ?? ''}`.trimEnd();
}

/** Prints how a run ended; nothing for one that still runs. */
export function printRunEnd(
  terminal: CommandServices['terminal'],
  { error, output, settledAt }: RoutineRun,
): void {
  if (error) terminal.line(`error: ${JSON.stringify(error)}`);
  if (settledAt !== null) terminal.line(`output: ${JSON.stringify(output)}`);
}

/** Returns the action of a command that pauses or resumes a run. */
export function controlRun(command: 'pause' | 'resume') {
  return async (services: CommandServices, id: string, options: OutputOptions): Promise<void> =>
    printRun(services, await services.client.routineRuns[command](id), options);
}

/** Stops a run. */
export async function stopRun(
  services: CommandServices,
  id: string,
  options: OutputOptions & { now?: boolean },
): Promise<void> {
  const mode = options.now ? 'now' : 'graceful';
  printRun(services, await services.client.routineRuns.stop(id, { mode }), options);
}
