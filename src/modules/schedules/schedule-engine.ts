import {
  type CalendarSpec,
  type Client,
  isGrpcServiceError,
  ScheduleAlreadyRunning,
  type ScheduleHandle,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type ScheduleSpec,
} from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js';
import { createInvalidInput } from '../../domain/errors.ts';
import type { OverlapPolicy, Schedule, ScheduleCalendar } from './schedule.ts';
import { toScheduleWorkflowId, type ScheduleRef } from './schedule-contract.ts';
import { searchAttributeNames } from '../../contract/search-attributes.ts';

/** The timeout of a call, in milliseconds. */
const deadlineMs = 5_000;

/**
 * The timeout of counting times, in milliseconds. The count is a query, for which Temporal waits 5 s for the worker that has
 * the workflow of the schedule in its cache before it asks another. Other calls that query are made again by the sweep, or
 * can do without the answer.
 */
const countDeadlineMs = 15_000;

/** Turns have the default key, 3, and replays 5: what a schedule starts goes between them. */
const priorityKey = 4;

const workspaceKey = defineSearchAttributeKey(searchAttributeNames.workspace, 'KEYWORD');

const policies: Record<OverlapPolicy, ScheduleOverlapPolicy> = {
  skip: ScheduleOverlapPolicy.SKIP,
  buffer_one: ScheduleOverlapPolicy.BUFFER_ONE,
  buffer_all: ScheduleOverlapPolicy.BUFFER_ALL,
  cancel_other: ScheduleOverlapPolicy.CANCEL_OTHER,
  allow_all: ScheduleOverlapPolicy.ALLOW_ALL,
};

const months = [
  ...(['JANUARY', 'FEBRUARY', 'MARCH', 'APRIL', 'MAY', 'JUNE'] as const),
  ...(['JULY', 'AUGUST', 'SEPTEMBER', 'OCTOBER', 'NOVEMBER', 'DECEMBER'] as const),
];
const days = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const;

/** Keeps the copies of schedules in Temporal, whose workflows run on a task queue. */
export function createScheduleEngine({ client, taskQueue }: { client: Client; taskQueue: string }) {
  const call = <Result>(
    work: (handle: ScheduleHandle) => Promise<Result>,
    scheduleId: string,
    timeoutMs = deadlineMs,
  ): Promise<Result> =>
    client.withDeadline(Date.now() + timeoutMs, () =>
      work(client.schedule.getHandle(toScheduleWorkflowId({ scheduleId }))),
    );
  return {
    saveSchedule: async (workspaceId: string, schedule: Schedule): Promise<void> => {
      const options = toOptions({ workspaceId, schedule, taskQueue });
      try {
        await call((handle) => save(client, handle, options), schedule.id);
      } catch (error) {
        throw toRefusal(error);
      }
    },

    hasSchedule: async (id: string): Promise<boolean> =>
      (await call((handle) => unlessMissing(handle.describe()), id)) !== undefined,

    deleteSchedule: async (id: string): Promise<void> => {
      await call((handle) => unlessMissing(handle.delete()), id);
    },

    // Without a policy the SDK takes `ALLOW_ALL`, not that of the schedule.
    runSchedule: ({ id, overlap }: Schedule): Promise<boolean> =>
      call((handle) => wasFound(handle.trigger(policies[overlap])), id),

    backfillSchedule: (
      id: string,
      { from, to, overlap }: { from: string; to: string; overlap: OverlapPolicy },
    ): Promise<boolean> => {
      const span = { start: new Date(from), end: new Date(to), overlap: policies[overlap] };
      return call((handle) => wasFound(handle.backfill(span)), id);
    },

    countTimes: async (
      id: string,
      { from, to, most }: { from: string; to: string; most: number },
    ): Promise<number | null> => {
      const span = { from: Date.parse(from), to: Date.parse(to), most };
      return (await call(() => unlessMissing(countTimes(client, id, span)), id, countDeadlineMs)) ?? null;
    },

    listNextRuns: async (id: string): Promise<string[]> => {
      const { info, state } = await call((handle) => handle.describe(), id);
      return state.paused ? [] : info.nextActionTimes.map((time) => time.toISOString());
    },
  };
}

type SaveOptions = ReturnType<typeof toOptions>;

async function save(client: Client, handle: ScheduleHandle, options: SaveOptions): Promise<void> {
  try {
    await client.schedule.create(options);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await handle.update((previous) => ({ ...previous, ...options }));
  }
}

interface CountedSpan {
  /** Epoch milliseconds, as `to`. */
  from: number;
  to: number;
  most: number;
}

/** Temporal answers a list of times, the earliest first, that it cuts off; the next list begins after it. */
async function countTimes(client: Client, id: string, { from, to, most }: CountedSpan): Promise<number> {
  const scheduleId = toScheduleWorkflowId({ scheduleId: id });
  for (let [count, start] = [0, from]; ;) {
    const { startTime } = await client.workflowService.listScheduleMatchingTimes({
      ...{ namespace: client.options.namespace, scheduleId },
      ...{ startTime: msToTs(start), endTime: msToTs(to) },
    });
    const last = startTime.at(-1);
    count += startTime.length;
    if (!last || count > most) return count;
    start = tsToMs(last) + 1_000;
    if (start > to) return count;
  }
}

async function unlessMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError || isMissing(error)) return undefined;
    throw error;
  }
}

/** The status of gRPC for things that do not exist. */
const notFound = 5;

/** Calls for which the SDK has no method throw the error of gRPC. */
function isMissing(error: unknown): boolean {
  return isGrpcServiceError(error) && (error.code as number) === notFound;
}

/** Returns false when Temporal does not have the schedule. */
async function wasFound(request: Promise<void>): Promise<boolean> {
  return (await unlessMissing(request.then(() => true))) ?? false;
}

/** The SDK throws a TypeError for times that Temporal cannot read. */
function toRefusal(error: unknown): unknown {
  return error instanceof TypeError
    ? createInvalidInput([{ field: 'times', message: error.message }])
    : error;
}

interface CopyOptions {
  workspaceId: string;
  schedule: Schedule;
  taskQueue: string;
}

function toOptions({ workspaceId, schedule, taskQueue }: CopyOptions) {
  const scheduleId = toScheduleWorkflowId({ scheduleId: schedule.id });
  const typedSearchAttributes = new TypedSearchAttributes([{ key: workspaceKey, value: workspaceId }]);
  return {
    scheduleId,
    spec: toSpec(schedule),
    action: {
      type: 'startWorkflow' as const,
      workflowType: 'scheduledRun',
      args: [{ workspaceId, scheduleId: schedule.id }] satisfies [ScheduleRef],
      // Temporal adds the time of the run.
      workflowId: scheduleId,
      taskQueue,
      priority: { fairnessKey: workspaceId, priorityKey },
      typedSearchAttributes,
    },
    policies: { overlap: policies[schedule.overlap], catchupWindow: schedule.catchUpMs },
    state: { paused: schedule.paused },
    typedSearchAttributes,
  };
}

function toSpec({ times: { cron, interval, calendars }, timeZone: timezone }: Schedule): ScheduleSpec {
  if (interval) return { intervals: [{ every: interval.everyMs, offset: interval.offsetMs }] };
  if (calendars) return { timezone, calendars: calendars.map(toCalendar) };
  return { timezone, cronExpressions: [cron ?? []].flat() };
}

type Values<Value> = Value | { start: Value; end?: Value | undefined; step?: number | undefined };

/** Applies a function to the values of a field of a calendar. */
function mapValues<Name>(
  field: ScheduleCalendar['month'],
  toName: (value: number) => Name,
): Values<Name> | Values<Name>[] | undefined {
  const toNamed = (value: Values<number>): Values<Name> =>
    typeof value === 'number'
      ? toName(value)
      : {
          start: toName(value.start),
          ...(value.end === undefined ? {} : { end: toName(value.end) }),
          ...(value.step === undefined ? {} : { step: value.step }),
        };
  if (field === undefined) return undefined;
  return Array.isArray(field) ? field.map(toNamed) : toNamed(field);
}

function toCalendar({ month, dayOfWeek, ...others }: ScheduleCalendar): CalendarSpec {
  const named = {
    month: mapValues(month, (number) => months[number - 1]),
    dayOfWeek: mapValues(dayOfWeek, (number) => days[number]),
  };
  // Fields that are undefined are left out: the SDK has defaults for those that are missing only.
  const given = Object.entries({ ...others, ...named }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}
