import type { Schedule } from '../../api/types.ts';
import { formatCount, formatDuration } from '../../ui/format.ts';
import { findUnit, unitMs } from './schedule-draft.ts';

/** Says when a schedule runs: `every 2 hours`, or its cron expressions. */
export function describeTimes({ times: { cron, interval, calendars }, timeZone }: Schedule): string {
  if (interval) {
    const shift = interval.offsetMs === 0 ? '' : `, shifted by ${toSpan(interval.offsetMs)}`;
    return `every ${toSpan(interval.everyMs)}${shift}`;
  }
  if (calendars)
    return `${calendars.length === 1 ? 'a calendar' : `${calendars.length} calendars`}, ${timeZone}`;
  return `${[cron ?? []].flat().join(' and ')}, ${timeZone}`;
}

function toSpan(ms: number): string {
  const unit = findUnit(ms);
  if (!unit) return formatDuration(ms);
  const count = ms / unitMs[unit];
  return count === 1 ? `1 ${unit.slice(0, -1)}` : `${formatCount(count)} ${unit}`;
}
