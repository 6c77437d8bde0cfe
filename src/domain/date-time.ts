import { z } from 'zod';

/** Postgres refuses offsets from here on; the largest in use is 14 hours. */
const refusedOffsetHours = 16;

const format = {
  offset: true,
  abort: true,
  error: 'expected a date and time with an offset, such as 2026-03-01T09:00:00Z',
};

/**
 * A point in time with an offset (RFC 3339). Every date-time of a request is read by this schema, into UTC with
 * milliseconds, so that no later reader meets an offset, or a time that the database cannot hold.
 */
export const dateTimeSchema = z.iso
  .datetime(format)
  .refine(hasRealOffset, {
    error: `expected an offset of less than ${refusedOffsetHours} hours`,
    abort: true,
  })
  .refine(hasRealYear, { error: 'expected a year from 1000 to 9999 in UTC', abort: true })
  .overwrite(toUtc);

function hasRealOffset(text: string): boolean {
  const [, hours = '0'] = /[+-](\d\d):\d\d$/.exec(text) ?? [];
  return Number(hours) < refusedOffsetHours;
}

/** Years of more digits begin with a sign. Below 1000 a time less some days may be in the year 0, which is none. */
function hasRealYear(text: string): boolean {
  return /^[1-9]/.test(toUtc(text));
}

function toUtc(text: string): string {
  return new Date(text).toISOString();
}
