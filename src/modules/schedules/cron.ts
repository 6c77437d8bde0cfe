const second = 1_000;
const unitsMs: Record<string, number> = { s: second, m: 60 * second, h: 3_600 * second, d: 86_400 * second };

/** Names that stand for a whole expression. */
const named = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

interface Field {
  name: string;
  min: number;
  max: number;
  /** Names in the order of their numbers, which may be cut after `leastLetters`. */
  words?: readonly string[];
  leastLetters?: number;
}

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september'],
  ...['october', 'november', 'december'],
];
const secondField: Field = { name: 'second', min: 0, max: 59 };
const fiveFields: Field[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, words: months, leastLetters: 3 },
  { name: 'weekday', min: 0, max: 7, words: days, leastLetters: 2 },
];
const yearField: Field = { name: 'year', min: 2000, max: 2100 };

const fieldsByCount: Record<number, Field[]> = {
  5: fiveFields,
  6: [...fiveFields, yearField],
  7: [secondField, ...fiveFields, yearField],
};

/**
 * Says why a cron expression is refused: it is not one, or Temporal reads it otherwise than most programs do. Null for
 * an expression that both read alike.
 */
export function findCronProblem(text: string): string | null {
  if (/^(?:CRON_)?TZ=/.test(text)) return 'expected no time zone: set "timeZone"';
  if (text.includes('#'))
    return 'expected no "#", which begins a comment at Temporal; for the first Monday of a month use calendars: { "dayOfWeek": 1, "dayOfMonth": { "start": 1, "end": 7 } }';
  if (text.startsWith('@')) return findNameProblem(text);
  const parts = text.split(/\s+/);
  const fields = fieldsByCount[parts.length];
  if (!fields) return `expected 5 fields (minute hour day month weekday), found ${parts.length}`;
  if (parts.length === 6 && !/^[\d,/-]+$/.test(parts[5] ?? ''))
    return 'expected a year as the last of 6 fields; 5 fields are minute hour day month weekday, and an expression with seconds has 7 fields: second minute hour day month weekday year';
  const problem = fields.map((field, index) => findFieldProblem(field, parts[index] ?? '')).find(Boolean);
  return problem ?? findDayProblem(new Map(fields.map(({ name }, index) => [name, parts[index]])));
}

/** cron runs when either of two restricted fields matches, and Temporal when both do. */
function findDayProblem(values: Map<string, string | undefined>): string | null {
  if ([values.get('day'), values.get('weekday')].some((value) => value?.startsWith('*'))) return null;
  return 'expected * as the day or as the weekday; where both must match use calendars, where one is enough two expressions';
}

function findNameProblem(text: string): string | null {
  if (named.includes(text)) return null;
  const [, every = '', offset] = /^@every +([\w.]+)(?:\/([\w.]+))?$/.exec(text) ?? [];
  const [everyMs, offsetMs] = [toMs(every), toMs(offset ?? '0s')];
  if (!everyMs || offsetMs === null)
    return `expected one of ${named.join(', ')}, or whole seconds such as @every 90s or @every 1h30m`;
  return offsetMs < everyMs ? null : 'expected an offset that is shorter than the interval';
}

/** Returns the milliseconds of a duration of whole seconds, such as `1h30m`; null for any other text. */
function toMs(text: string): number | null {
  if (!/^(?:\d{1,6}[smhd])+$/.test(text)) return null;
  const parts = [...text.matchAll(/(\d+)([smhd])/g)];
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (unitsMs[unit] ?? 0), 0);
}

function findFieldProblem(field: Field, value: string): string | null {
  return (
    value
      .split(',')
      .map((part) => findPartProblem(field, part))
      .find(Boolean) ?? null
  );
}

function findPartProblem(field: Field, part: string): string | null {
  const { name, min, max } = field;
  const [, from = '', to, step] = /^([^/-]+)(?:-([^/-]+))?(?:\/(\d{1,4}))?$/.exec(part) ?? [];
  const start = from === '*' ? min : parseValue(field, from);
  const end = to === undefined ? max : parseValue(field, to);
  const isWhole = from === '*' && to !== undefined;
  if (start === null || end === null || isWhole || Number(step) === 0)
    return `expected *, numbers from ${min} to ${max}${field.words ? ' or names' : ''}, ranges such as a-b and steps such as */n as the ${name}, found "${part}"`;
  if (to !== undefined && end < start)
    return `expected a range of the ${name} that begins with its lower end, found "${part}"`;
  return null;
}

function parseValue({ min, max, words = [], leastLetters = 0 }: Field, text: string): number | null {
  if (/^\d{1,4}$/.test(text)) return Number(text) >= min && Number(text) <= max ? Number(text) : null;
  const index = words.findIndex((word) => text.length >= leastLetters && word.startsWith(text.toLowerCase()));
  return index === -1 ? null : index + min;
}
