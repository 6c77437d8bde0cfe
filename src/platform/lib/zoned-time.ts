/** The parts of a time in a time zone, such as `Sunday`, `2026-03-29`, `09:00:00` and `+02:00`. */
export interface ZonedTime {
  weekday: string;
  date: string;
  time: string;
  offset: string;
}

const fields = {
  weekday: 'long',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'longOffset',
} as const;

/** Creates a function that returns the parts of times in a time zone. @throws RangeError for a name that is no time zone */
export function createZonedParts(timeZone: string): (at: Date) => ZonedTime {
  const format = new Intl.DateTimeFormat('en-GB', { ...fields, timeZone });
  return (at) => {
    const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    return {
      weekday: part.weekday ?? '',
      date: `${part.year}-${part.month}-${part.day}`,
      time: `${part.hour}:${part.minute}:${part.second}`,
      // UTC itself is only "GMT".
      offset: (part.timeZoneName ?? '').replace('GMT', '') || '+00:00',
    };
  };
}
