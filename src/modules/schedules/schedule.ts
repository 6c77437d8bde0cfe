import { z } from 'zod';
import { findCronProblem } from './cron.ts';
import { dateTimeSchema } from '../../domain/date-time.ts';
import { maxMessageCharacters } from '../../domain/message-part.ts';
import { jsonValueSchema } from '../../domain/json-value.ts';
import { replayInputSchema } from '../../domain/replay.ts';
import { errorInfoSchema } from '../../domain/turn.ts';
import { personNameSchema } from '../../domain/person-name.ts';
import { storedWorkFields } from '../../domain/stored-work.ts';

const cronSchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .describe(
    '5 fields (minute hour day month weekday), 6 with a year, 7 with seconds in front and a year, or such as @daily',
  );

/** One value, values in a list, or a range with a step, of a field of a calendar. */
function calendarField(min: number, max: number) {
  const value = z.int().min(min).max(max);
  const range = z.strictObject({ start: value, end: value.optional(), step: z.int().min(1).optional() });
  return z
    .union([
      value,
      range,
      z
        .array(z.union([value, range]))
        .min(1)
        .max(60),
    ])
    .optional();
}

const calendarSchema = z.strictObject({
  second: calendarField(0, 59).describe('0 by default'),
  minute: calendarField(0, 59).describe('0 by default'),
  hour: calendarField(0, 23).describe('0 by default'),
  dayOfMonth: calendarField(1, 31).describe('All by default'),
  month: calendarField(1, 12).describe('All by default'),
  dayOfWeek: calendarField(0, 6).describe('0 is Sunday; all by default'),
  year: calendarField(2000, 2100).describe('All by default'),
});
export type ScheduleCalendar = z.infer<typeof calendarSchema>;

const dayMs = 24 * 60 * 60_000;

const intervalSchema = z.strictObject({
  everyMs: z
    .int()
    .min(1_000)
    .max(366 * dayMs),
  offsetMs: z
    .int()
    .min(0)
    .max(366 * dayMs)
    .default(0)
    .describe('Shifts the times, which are multiples of `everyMs` since 1970 in UTC'),
});

/** The times of a schedule: cron expressions, an interval, or calendars. */
const scheduleTimesSchema = z
  .strictObject({
    cron: z.union([cronSchema, z.array(cronSchema).min(1).max(20)]).optional(),
    interval: intervalSchema.optional(),
    calendars: z.array(calendarSchema).min(1).max(20).optional(),
  })
  .refine(
    (times) => Object.values(times).filter((value) => value !== undefined).length === 1,
    'expected one of cron, interval and calendars',
  );
type ScheduleTimes = z.infer<typeof scheduleTimesSchema>;

/** The times of a new schedule, or of a changed one: those that Temporal would read otherwise than they look are refused. */
const newTimesSchema = scheduleTimesSchema.check(({ value, issues }) => {
  for (const { path, message } of listTimeProblems(value))
    issues.push({ code: 'custom', path, message, input: value });
});

interface TimeProblem {
  path: (string | number)[];
  message: string;
}

function listTimeProblems({ cron = [], interval, calendars = [] }: ScheduleTimes): TimeProblem[] {
  const ofCron = [cron].flat().flatMap((text, index) => {
    const message = findCronProblem(text);
    return message === null ? [] : [{ path: Array.isArray(cron) ? ['cron', index] : ['cron'], message }];
  });
  // Temporal drops parts of a second.
  const ofInterval = Object.entries(interval ?? {})
    .filter(([, ms]) => ms % 1_000 !== 0)
    .map(([name]) => ({
      path: ['interval', name],
      message: 'expected whole seconds, as a multiple of 1000',
    }));
  const ofCalendars = calendars.flatMap((calendar, index) =>
    Object.entries(calendar)
      .filter(([, field]) =>
        [field].flat().some((value) => typeof value === 'object' && !isWholeRange(value)),
      )
      .map(([name]) => ({ path: ['calendars', index, name], message: notWhole })),
  );
  return [...ofCron, ...ofInterval, ...ofCalendars];
}

/** Temporal reads a range that ends before its start, or a step without an end, as its start alone. */
const notWhole = 'expected a range whose end is not before its start; with a step it needs an end';

function isWholeRange({
  start,
  end,
  step,
}: {
  start: number;
  end?: number | undefined;
  step?: number | undefined;
}) {
  return end === undefined ? step === undefined : end >= start;
}

/** Says what happens when a run is due while an earlier one of the schedule still runs. */
export const overlapPolicies = ['skip', 'buffer_one', 'buffer_all', 'cancel_other', 'allow_all'] as const;
export type OverlapPolicy = (typeof overlapPolicies)[number];
const overlapSchema = z.enum(overlapPolicies);

const turnActionSchema = z.strictObject({
  kind: z.literal('turn'),
  agentId: z.uuid().optional().describe('Each run begins a conversation with this agent'),
  conversationId: z.uuid().optional().describe('All runs are turns of this conversation'),
  message: z.string().min(1).max(maxMessageCharacters),
  actingFor: personNameSchema.optional(),
});

/** The work that a schedule starts: a turn in one conversation or in a new one each time, a run of a routine, or a replay. */
export const scheduleActionSchema = z.discriminatedUnion('kind', [
  turnActionSchema.refine(
    ({ agentId, conversationId }) => (agentId === undefined) !== (conversationId === undefined),
    'expected either agentId or conversationId',
  ),
  z.strictObject({
    kind: z.literal('routine'),
    routineId: z.uuid(),
    input: jsonValueSchema.optional().describe('The input of each run; an empty object by default'),
  }),
  z.strictObject({ kind: z.literal('replay'), replay: replayInputSchema }),
]);
export type ScheduleAction = z.infer<typeof scheduleActionSchema>;

/** The kinds of work that a schedule starts. */
export type ScheduledKind = ScheduleAction['kind'];

const timeZoneSchema = z
  .string()
  .max(100)
  // The runtime takes offsets too, and Temporal does not.
  .refine(
    (name) => /^[a-z]/i.test(name) && isTimeZone(name),
    'expected the name of a time zone, such as Europe/Berlin',
  );

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const scheduleFields = {
  name: z.string().trim().min(1).max(200),
  times: newTimesSchema,
  timeZone: timeZoneSchema,
  action: scheduleActionSchema,
  overlap: overlapSchema,
  catchUpMs: z
    .int()
    .min(10_000)
    .max(366 * dayMs)
    .describe('How late a run may begin after an outage, in milliseconds; ten minutes by default'),
  paused: z.boolean(),
};

/** A new schedule. */
export const scheduleInputSchema = z.strictObject({
  ...scheduleFields,
  timeZone: timeZoneSchema.default('UTC'),
  overlap: overlapSchema.default('skip'),
  catchUpMs: scheduleFields.catchUpMs.default(600_000),
  paused: z.boolean().default(false),
});
export type ScheduleInput = z.infer<typeof scheduleInputSchema>;

/** A change of a schedule: what is named is replaced, the rest stays. */
export const scheduleChangeSchema = z
  .strictObject(scheduleFields)
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'expected at least one field');
export type ScheduleChange = z.infer<typeof scheduleChangeSchema>;

/** The maximum number of missed runs that one request starts. */
export const mostBackfilledRuns = 1_000;

/** The time span whose missed runs are started. */
export const backfillSchema = z
  .strictObject({
    from: dateTimeSchema,
    to: dateTimeSchema,
    overlap: overlapSchema.default('buffer_all'),
  })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), 'expected from before to')
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= 366 * dayMs, 'expected at most 366 days');
export type Backfill = z.infer<typeof backfillSchema>;

/** A schedule as the API shows it. Times are ISO 8601. */
export const scheduleSchema = z.object({
  id: z.string(),
  name: z.string(),
  times: scheduleTimesSchema,
  timeZone: z.string(),
  action: scheduleActionSchema,
  overlap: overlapSchema,
  catchUpMs: z.int(),
  paused: z.boolean(),
  ...storedWorkFields,
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Schedule = z.infer<typeof scheduleSchema>;

/** A schedule with the times of its next runs; null while Temporal cannot be asked. */
export const scheduleDetailsSchema = scheduleSchema.extend({ nextRuns: z.array(z.string()).nullable() });
export type ScheduleDetails = z.infer<typeof scheduleDetailsSchema>;

/** The status of a run: `failed` when the start was refused, or when the started work did not complete. */
const scheduleRunStatuses = ['running', 'completed', 'failed'] as const;

/** One run of a schedule, for one time; each time has at most one. */
export const scheduleRunSchema = z.object({
  id: z.string(),
  /** The time for which it ran, which may be long ago in a backfill. */
  scheduledAt: z.string(),
  status: z.enum(scheduleRunStatuses),
  conversationId: z.string().nullable(),
  turnId: z.string().nullable(),
  replayId: z.string().nullable(),
  routineRunId: z.string().nullable(),
  /** The outcome of its turn, or the status of its replay or of the run of its routine; null while it runs. */
  outcome: z.string().nullable(),
  error: errorInfoSchema.nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
});
export type ScheduleRun = z.infer<typeof scheduleRunSchema>;
