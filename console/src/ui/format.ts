// The locale of the browser.
const locale = undefined;

const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric' });
const utcDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const shortDay = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
const whole = new Intl.NumberFormat(locale);
const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const seconds = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

/** A date and a time of day, by the locale of the browser. */
export const formatDateTime = (time: string) => dateTime.format(new Date(time));

/** The day of a time in short, with its weekday. */
export const formatWeekday = (time: string) => weekday.format(new Date(time));

/** A day such as `2026-01-31`, by the locale of the browser. */
export const formatDay = (day: string) => utcDay.format(new Date(day));

/** A day such as `2026-01-31` without its year. */
export const formatShortDay = (day: string) => shortDay.format(new Date(day));

const spans = [
  { unit: 'second', ms: 1_000, below: 60_000 },
  { unit: 'minute', ms: 60_000, below: 3_600_000 },
  { unit: 'hour', ms: 3_600_000, below: 86_400_000 },
  { unit: 'day', ms: 86_400_000, below: 7 * 86_400_000 },
] as const;

/** A time as people say it: "now", "3 min. ago", "in 2 hr."; a date when it is more than a week away. */
export function formatRelative(time: string, now: number): string {
  const difference = new Date(time).getTime() - now;
  const span = spans.find(({ below }) => Math.abs(difference) < below);
  if (!span) return day.format(new Date(time));
  return relative.format(Math.trunc(difference / span.ms), span.unit);
}

/** A duration in milliseconds: `840 ms`, `3.2 s`, `4 min 5 s`, `2 h 10 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${whole.format(Math.round(ms))} ms`;
  if (ms < 60_000) return `${seconds.format(ms / 1_000)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
  return `${whole.format(Math.floor(ms / 3_600_000))} h ${Math.round((ms % 3_600_000) / 60_000)} min`;
}

export const formatCount = (count: number) => whole.format(count);

/** A large number in short: `12.3K`. */
export const formatCompact = (count: number) => compact.format(count);

/** A share from 0 to 1 in percent; empty for none. */
export const formatShare = (rate: number | null) => (rate === null ? '' : share.format(rate));

/** Credits, which are millionths of a US dollar, as dollars: small amounts keep the digits that say something. */
export function formatCredits(credits: string | number): string {
  const dollars = Number(credits) / 1_000_000;
  const digits = dollars === 0 || dollars >= 1 ? 2 : dollars >= 0.01 ? 4 : 6;
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: Math.min(digits, 2),
    maximumFractionDigits: digits,
  }).format(dollars);
}

/** A size in bytes: `3.4 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${seconds.format(bytes / 1_000 ** power)} ${units[power] ?? ''}`;
}
