/** Creates a function that shows ISO 8601 times in a time zone: `2026-03-29 09:00:00 +02:00 Europe/Berlin`. */
export function createZonedTime(timeZone: string): (time: string) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone, hourCycle: 'h23', timeZoneName: 'longOffset' },
    ...{
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    },
  });
  return (time) => {
    const parts = format.formatToParts(new Date(time));
    const get = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
    // UTC itself is only "GMT".
    const offset = get('timeZoneName').slice('GMT'.length) || '+00:00';
    const day = `${get('year')}-${get('month')}-${get('day')}`;
    return `${day} ${get('hour')}:${get('minute')}:${get('second')} ${offset} ${timeZone}`;
  };
}
