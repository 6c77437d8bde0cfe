import { createInvalidInput } from './errors.ts';

const defaultSpanMs = 30 * 24 * 60 * 60 * 1000;

/** The time that a report covers, from the first time on and before the second, in ISO 8601. */
export interface TimeRange {
  from: string;
  to: string;
}

/** The times that were asked for. */
export type AskedTimes = { [Time in keyof TimeRange]?: TimeRange[Time] | undefined };

/**
 * Returns the time of a report: that of the last 30 days without times. It then ends with the present millisecond, because
 * the database counts microseconds: a call that was stored in this millisecond is part of the report.
 * @throws HoldfastError `INVALID_INPUT` when `from` is not before `to`
 */
export function toTimeRange(asked: AskedTimes): TimeRange {
  const to = asked.to ?? new Date(Date.now() + 1).toISOString();
  const from = asked.from ?? new Date(Date.parse(to) - defaultSpanMs).toISOString();
  if (Date.parse(from) >= Date.parse(to)) {
    throw createInvalidInput([{ field: 'from', message: 'expected a time before "to"' }]);
  }
  return { from, to };
}
