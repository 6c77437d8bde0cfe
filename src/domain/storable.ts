import type { FieldError } from './errors.ts';
import { isJsonObject, type JsonValue } from './json.ts';

const deepest = 64;

interface Place {
  value: unknown;
  field: string;
  depth: number;
}

/**
 * Finds the first value that cannot be stored: text with NUL characters or halves of surrogate pairs, numbers without
 * an end, and JSON that is nested too deep. `whole` names the input itself. It uses no recursion, since the input may be
 * nested deeper than the stack.
 */
export function findUnstorable(input: unknown, whole: string): FieldError | null {
  return findIn(input, whole, findProblem);
}

/** Finds the first number of a value that is infinite, which JSON cannot hold: `JSON.stringify` writes null for it. */
export function findInfinity(input: JsonValue): FieldError | null {
  return findIn(input, '', ({ value }) => findNumberProblem(value));
}

type FindProblem = (place: Place) => string | null;

function findIn(input: unknown, whole: string, find: FindProblem): FieldError | null {
  const places: Place[] = [{ value: input, field: '', depth: 0 }];
  for (let place = places.pop(); place; place = places.pop()) {
    const problem = find(place);
    if (problem) return { field: place.field || whole, message: problem };
    for (const part of listParts(place)) places.push(part);
  }
  return null;
}

function findProblem({ value, depth }: Place): string | null {
  if (typeof value === 'string') return findTextProblem(value);
  if (typeof value === 'number') return findNumberProblem(value);
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= deepest) return `expected at most ${deepest} levels of nesting`;
  if (Array.isArray(value)) return null;
  return (
    Object.keys(value)
      .map(findTextProblem)
      .find((problem) => problem !== null) ?? null
  );
}

/** `JSON.parse` reads `1e400` as infinity, which JSON cannot hold. */
function findNumberProblem(value: unknown): string | null {
  if (typeof value !== 'number' || Number.isFinite(value)) return null;
  return 'expected a number between -1.8e308 and 1.8e308';
}

function findTextProblem(text: string): string | null {
  if (text.includes('\0')) return 'expected text without NUL characters (\\u0000)';
  return text.isWellFormed() ? null : 'expected well-formed Unicode, found half of a surrogate pair';
}

function listParts({ value, field, depth }: Place): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([key, part]: [string, unknown]) => ({
    value: part,
    field: field === '' ? key : `${field}.${key}`,
    depth: depth + 1,
  }));
}

/** Replaces the characters of a text that Postgres refuses to store. */
export function toStorableText(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text).toWellFormed();
}

/** Returns the JSON of a value, with the characters replaced that Postgres refuses to store. */
export function toStorableJson(value: unknown): string {
  return JSON.stringify(value).replace(unstorableEscape, (found) => (found === '\\\\' ? found : '\\ufffd'));
}

// JSON.stringify writes NUL and halves of surrogate pairs as escapes; an escaped backslash is skipped as a whole.
const unstorableEscape = /\\(?:\\|u0000|ud[89a-f][0-9a-f]{2})/g;

/** Returns a value as it is read back from a column of type `jsonb`: characters replaced, keys in the order of Postgres. */
export function toStoredJson<Value extends JsonValue>(value: Value): Value {
  return orderKeys(JSON.parse(toStorableJson(value)) as Value) as Value;
}

/** Postgres orders the keys of an object by their length in bytes, and those of one length by their bytes. */
function orderKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(orderKeys);
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value).map((key) => ({ key, bytes: Buffer.from(key) }));
  keys.sort((a, b) => a.bytes.length - b.bytes.length || Buffer.compare(a.bytes, b.bytes));
  return Object.fromEntries(keys.map(({ key }) => [key, orderKeys(value[key] as JsonValue)]));
}
