import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';

/** The kinds of tasks that Holdfast runs, each named by the field that a task of it has. */
export const taskKinds = [
  ...([
    'call',
    'do',
    'emit',
    'for',
    'fork',
    'listen',
    'raise',
    'run',
    'set',
    'switch',
    'try',
    'wait',
  ] as const),
];
export type TaskKind = (typeof taskKinds)[number];

/** A task with its name. Its definition is that of the document, which was checked when it was stored. */
export interface NamedTask {
  name: string;
  definition: JsonObject;
}

/** Returns the tasks of a list of the document, each an object with one field. */
export function toTasks(list: JsonValue | undefined): NamedTask[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item) => {
    const [entry] = isJsonObject(item) ? Object.entries(item) : [];
    return entry && isJsonObject(entry[1]) ? [{ name: entry[0], definition: entry[1] }] : [];
  });
}

/** Returns the kind of a task; null for none that Holdfast knows. A `for` and a `listen` may have a `do` beside them. */
export function toTaskKind(definition: JsonObject): TaskKind | null {
  const found = taskKinds.filter((kind) => definition[kind] !== undefined);
  return found.find((kind) => kind !== 'do') ?? found[0] ?? null;
}

/** The fields of a duration in the document, with their length in milliseconds. */
const units = { days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1_000, milliseconds: 1 };

const iso = /^P(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** Returns a duration in milliseconds: ISO 8601 without years and months, or an object; null when it is neither. */
export function toRoutineMs(duration: JsonValue | undefined): number | null {
  if (typeof duration === 'string') return toIsoMs(duration);
  if (!isJsonObject(duration)) return null;
  let ms = 0;
  for (const [unit, count] of Object.entries(duration)) {
    if (!(unit in units) || typeof count !== 'number' || count < 0) return null;
    ms += count * units[unit as keyof typeof units];
  }
  return ms;
}

/** A part that is not there counts 0. */
function toCount(part: string | undefined): number {
  return Number(part ?? 0);
}

function toIsoMs(text: string): number | null {
  const parts = iso.exec(text);
  if (!parts || text.length < 3 || text.endsWith('T')) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map(toCount);
  return ((days * 24 + hours) * 60 + minutes) * 60_000 + seconds * 1_000;
}
