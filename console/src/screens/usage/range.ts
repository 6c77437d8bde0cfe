import type { UsageSearch } from './search.ts';

const dayMs = 86_400_000;

/** The maximum number of days that a page shows. */
export const mostDays = 366;

/** The days that are shown, in UTC: the first one and the last one. */
export interface DayRange {
  from: string;
  to: string;
}

const toDay = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Returns the days that an address chooses: the last 30 without a choice. */
export function toDayRange({ from, to, days = '30' }: UsageSearch, now: number): DayRange {
  const last = to ?? toDay(now);
  return { from: from ?? toDay(Date.parse(last) - (Number(days) - 1) * dayMs), to: last };
}

/** Returns the times of the API that cover the days. */
export function toTimes({ from, to }: DayRange): DayRange {
  return { from: new Date(from).toISOString(), to: new Date(Date.parse(to) + dayMs).toISOString() };
}

/** How many days there are; none or fewer when the last one is before the first one. */
export const countDays = ({ from, to }: DayRange) => (Date.parse(to) - Date.parse(from)) / dayMs + 1;

/** Lists the days, the earliest first. */
export function listDays(range: DayRange): string[] {
  const first = Date.parse(range.from);
  return Array.from({ length: countDays(range) }, (_, index) => toDay(first + index * dayMs));
}
