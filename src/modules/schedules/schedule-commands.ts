import type { CreateScheduleData, HoldfastClient } from '../../clients/client/index.ts';
import { createZonedTime } from '../../clients/cli/zoned-time.ts';
import { readAll } from '../../clients/cli/pages.ts';
import type { Terminal } from '../../clients/cli/terminal.ts';
import { printJson, type OutputOptions } from '../../clients/cli/output.ts';

interface CommandServices {
  client: HoldfastClient;
  terminal: Terminal;
}

type NewSchedule = CreateScheduleData['body'];

/** Lists the schedules, one line each. */
export async function listSchedules({ client, terminal }: CommandServices, options: OutputOptions) {
  const schedules = await readAll((page) => client.schedules.list(page));
  if (options.json) {
    printJson(terminal, schedules);
    return;
  }
  if (schedules.length === 0) terminal.line('The workspace has no schedules.');
  for (const { id, name, times, timeZone, action, paused, stoppedAt } of schedules) {
    const state = `${paused ? '  paused' : ''}${stoppedAt === null ? '' : '  stopped'}`;
    terminal.line(`${id}  ${name}  ${action.kind}  ${toTimes(times)} ${timeZone}${state}`);
  }
}

function toTimes({ cron, interval, calendars }: NewSchedule['times']): string {
  if (interval) return `every ${interval.everyMs / 1000} s`;
  return calendars ? JSON.stringify(calendars) : [cron ?? []].flat().join(', ');
}

/** Prints a schedule, the times of its next runs and its last runs. */
export async function showSchedule(
  { client, terminal }: CommandServices,
  id: string,
  options: OutputOptions,
) {
  const schedule = await client.schedules.get(id);
  const { items: runs } = await client.schedules.runs.list(id, { limit: 10 });
  if (options.json) {
    printJson(terminal, { ...schedule, runs });
    return;
  }
  terminal.line(
    `${schedule.name}: ${toTimes(schedule.times)} ${schedule.timeZone}, overlap ${schedule.overlap}`,
  );
  if (schedule.paused) terminal.line('It is paused.');
  const toShown = createZonedTime(schedule.timeZone);
  if (schedule.stoppedAt !== null)
    terminal.line(`It was stopped at ${toShown(schedule.stoppedAt)}: ${schedule.stoppedReason}`);
  if (schedule.nextRuns === null) terminal.line('  next  not known: Temporal did not answer in time');
  for (const time of (schedule.nextRuns ?? []).slice(0, 5)) terminal.line(`  next  ${toShown(time)}`);
  for (const { scheduledAt, status, outcome, turnId, replayId, routineRunId, error } of runs) {
    const what = turnId ?? replayId ?? routineRunId ?? '';
    const ended = `${outcome ?? status}  ${what}  ${error?.message ?? ''}`;
    terminal.line(`  ran   ${toShown(scheduledAt)}  ${ended}`.trimEnd());
  }
}

/** The options of `schedules create`. */
export interface ScheduleOptions extends OutputOptions {
  agent?: string;
  conversation?: string;
  message?: string;
  routine?: string;
  input?: string;
  replay?: string;
  cron?: string;
  every?: string;
  timeZone: string;
  overlap: string;
}

/** Creates a schedule of turns, of runs of a routine, or of replays. */
export async function createSchedule(
  { client, terminal }: CommandServices,
  name: string,
  options: ScheduleOptions,
) {
  const { cron, every, timeZone, overlap, json } = options;
  const schedule = await client.schedules.create({
    ...{ name, timeZone },
    // The API refuses values that it does not know.
    overlap: overlap as NonNullable<NewSchedule['overlap']>,
    times: {
      ...(cron === undefined ? {} : { cron }),
      ...(every === undefined ? {} : { interval: { everyMs: Number(every) * 1000 } }),
    },
    action: toAction(options),
  });
  if (json) printJson(terminal, schedule);
  else terminal.line(`Schedule ${schedule.id} is created.`);
}

/** @throws Error when the options do not say what to start */
function toAction(options: ScheduleOptions): NewSchedule['action'] {
  const { agent, conversation, message, routine, input, replay } = options;
  if (routine !== undefined) {
    const given = input === undefined ? {} : { input: parseOption('--input', input) as JsonValue };
    return { kind: 'routine', routineId: routine, ...given };
  }
  if (replay !== undefined)
    return { kind: 'replay', replay: parseOption('--replay', replay) as ReplayAction['replay'] };
  if (message === undefined) throw new Error('Say what to start: --message, --routine or --replay.');
  return {
    ...{ kind: 'turn', message },
    ...(agent === undefined ? {} : { agentId: agent }),
    ...(conversation === undefined ? {} : { conversationId: conversation }),
  };
}

type JsonValue = Extract<NewSchedule['action'], { kind: 'routine' }>['input'];
type ReplayAction = Extract<NewSchedule['action'], { kind: 'replay' }>;

/** The API refuses values of another form. */
function parseOption(option: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${option} is no JSON.`, { cause: error });
  }
}

/** Pauses, resumes, runs or deletes a schedule. */
export function scheduleCommand(verb: 'pause' | 'resume' | 'run' | 'delete', done: string) {
  return async ({ client, terminal }: CommandServices, id: string, options: OutputOptions) => {
    const answer = await client.schedules[verb](id);
    if (options.json) printJson(terminal, answer ?? { deleted: true });
    else terminal.line(`Schedule ${id} ${done}.`);
  };
}

/** Runs a schedule for a time span that is over. */
export async function backfillSchedule(
  { client, terminal }: CommandServices,
  id: string,
  { from, to, json }: OutputOptions & { from: string; to: string },
) {
  const schedule = await client.schedules.backfill(id, { from, to });
  if (json) printJson(terminal, schedule);
  else terminal.line(`Schedule ${id} runs for the times from ${from} to ${to}.`);
}
