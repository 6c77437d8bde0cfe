import { createZonedParts } from '../../platform/lib/zoned-time.ts';

/** Creates a function that shows ISO 8601 times in a time zone: `2026-03-29 09:00:00 +02:00 Europe/Berlin`. */
export function createZonedTime(timeZone: string): (time: string) => string {
  const toParts = createZonedParts(timeZone);
  return (at) => {
    const { date, time, offset } = toParts(new Date(at));
    return `${date} ${time} ${offset} ${timeZone}`;
  };
}
