import type { CreateScheduleData, HoldfastClient } from '../../clients/client/index.ts';
import { operation, type CommandTable, type Given } from '../../clients/cli/command-table.ts';
import { parseJson } from '../../clients/cli/option-values.ts';
import { createZonedTime } from '../../clients/cli/zoned-time.ts';

type NewSchedule = CreateScheduleData['body'];
type ShownSchedule = Awaited<ReturnType<typeof getSchedule>>;

/** The options of `schedules create` that are no fields of a schedule. */
type ScheduleOptions = Partial<
  Record<'agent' | 'conversation' | 'message' | 'routine' | 'input' | 'replay' | 'cron' | 'every', string>
>;

const change = (
  name: 'pauseSchedule' | 'resumeSchedule' | 'runSchedule' | 'deleteSchedule',
  description: string,
  done: string,
) => operation(name, { description, lines: (_, { id }) => `Schedule ${id} ${done}.` });

/** The commands of schedules. */
export const commands: CommandTable = {
  schedules: 'Start turns, routines and replays at set times.',
  'schedules list': operation('listSchedules', {
    description: 'List the schedules of the workspace.',
    none: 'The workspace has no schedules.',
    line: ({ id, name, times, timeZone, action, paused, stoppedAt }) => [
      id,
      name,
      action.kind,
      `${toTimes(times)} ${timeZone}`,
      paused && 'paused',
      stoppedAt !== null && 'stopped',
    ],
  }),
  'schedules show <schedule>': operation('getSchedule', {
    description: 'Show the next and the last runs of a schedule.',
    call: ({ client }, { id }) => getSchedule(client, id),
    lines: toScheduleLines,
  }),
  'schedules create <name>': operation('createSchedule', {
    description: 'Send a message to an agent, run a routine or replay turns at set times.',
    fields: {
      times: false,
      action: false,
      timeZone: 'the time zone of the cron expression (default: UTC)',
      paused: 'begin with a pause',
    },
    options: {
      '--message <text>': 'a message to an agent',
      '--agent <id>': 'begin a conversation with this agent each time',
      '--conversation <id>': 'send it in this conversation',
      '--routine <id>': 'run this routine',
      '--input <json>': 'the input of its runs',
      '--replay <json>': 'replay turns: the body of a replay',
      '--cron <expression>': 'such as "0 9 * * 1-5"',
      '--every <seconds>': 'in place of a cron expression',
    },
    input: ({ options }: Given<ScheduleOptions>) => ({
      times: {
        ...(options.cron === undefined ? {} : { cron: options.cron }),
        ...(options.every === undefined ? {} : { interval: { everyMs: Number(options.every) * 1000 } }),
      },
      action: toAction(options),
    }),
    lines: ({ id }) => `Schedule ${id} is created.`,
  }),
  'schedules pause <schedule>': change('pauseSchedule', 'Pause a schedule.', 'is paused'),
  'schedules resume <schedule>': change('resumeSchedule', 'Let a schedule go on.', 'goes on'),
  'schedules run <schedule>': change('runSchedule', 'Run a schedule now.', 'runs now'),
  'schedules backfill <schedule>': operation('backfillSchedule', {
    description: 'Run a schedule for a time span that is over.',
    fields: { from: 'an ISO 8601 time', to: 'an ISO 8601 time' },
    lines: (_, { id, input: { from, to } }: Given) =>
      `Schedule ${id} runs for the times from ${String(from)} to ${String(to)}.`,
  }),
  'schedules delete <schedule>': change('deleteSchedule', 'Delete a schedule.', 'is deleted'),
};

function toTimes({ cron, interval, calendars }: NewSchedule['times']): string {
  if (interval) return `every ${interval.everyMs / 1000} s`;
  return calendars ? JSON.stringify(calendars) : [cron ?? []].flat().join(', ');
}

async function getSchedule(client: HoldfastClient, id: string) {
  const schedule = await client.schedules.get(id);
  const { items: runs } = await client.schedules.runs.list(id, { limit: 10 });
  return { ...schedule, runs };
}

function toScheduleLines({ runs, nextRuns, ...schedule }: ShownSchedule) {
  const { name, times, timeZone, overlap, paused, stoppedAt, stoppedReason } = schedule;
  const toShown = createZonedTime(timeZone);
  return [
    `${name}: ${toTimes(times)} ${timeZone}, overlap ${overlap}`,
    paused && 'It is paused.',
    stoppedAt !== null && `It was stopped at ${toShown(stoppedAt)}: ${stoppedReason}`,
    nextRuns === null && '  next  not known: Temporal did not answer in time',
    ...(nextRuns ?? []).slice(0, 5).map((time) => `  next  ${toShown(time)}`),
    ...runs.map(({ scheduledAt, status, outcome, turnId, replayId, routineRunId, error }) => {
      const ended = `${outcome ?? status}  ${turnId ?? replayId ?? routineRunId ?? ''}  ${error?.message ?? ''}`;
      return `  ran   ${toShown(scheduledAt)}  ${ended}`.trimEnd();
    }),
  ];
}

/** @throws Error when the options do not say what to start */
function toAction(options: ScheduleOptions): object {
  const {
    agent: agentId,
    conversation: conversationId,
    message,
    routine: routineId,
    input,
    replay,
  } = options;
  if (routineId !== undefined) {
    const given = input === undefined ? {} : { input: parseJson(input, '--input') };
    return { kind: 'routine', routineId, ...given };
  }
  if (replay !== undefined) return { kind: 'replay', replay: parseJson(replay, '--replay') };
  if (message === undefined) throw new Error('Say what to start: --message, --routine or --replay.');
  return { kind: 'turn', message, agentId, conversationId };
}
