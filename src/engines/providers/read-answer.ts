import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { AnswerPath } from './define-operation.ts';

/** Returns the value at a path of names in an answer; undefined when there is none. */
function valueAt(answer: JsonValue | undefined, ...path: string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(step, answer);
}

function step(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^-?\d+$/.test(name) ? value.at(Number(name)) : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Returns the text at a path of names; undefined when there is none or it is empty. */
export function textAt(answer: JsonValue | undefined, ...path: string[]): string | undefined {
  const value = valueAt(answer, ...path);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the list at a path of names; empty when there is none. */
export function listAt(answer: JsonValue | undefined, ...path: string[]): JsonValue[] {
  const value = valueAt(answer, ...path);
  return Array.isArray(value) ? value : [];
}

/** Returns the value at a path with dots: `data.issues.0.id`. A name with dots in itself, such as `@odata.nextLink`, is found too. */
export function readPath(answer: JsonValue | undefined, path: AnswerPath): JsonValue | undefined {
  if (path === '' || answer === undefined) return answer;
  const whole = step(answer, path);
  return whole === undefined ? valueAt(answer, ...path.split('.')) : whole;
}

/**
 * Returns a value with these paths only; paths go through lists. A value that has none of them comes back whole, so that
 * an unexpected answer is not lost.
 */
export function keepPaths(value: JsonValue, paths: readonly AnswerPath[] | undefined): JsonValue {
  if (!paths) return value;
  if (Array.isArray(value)) return value.map((item) => keepPaths(item, paths));
  const kept = pick(value, paths);
  return isJsonObject(kept) && Object.keys(kept).length > 0 ? kept : value;
}

function pick(value: JsonValue, paths: readonly AnswerPath[]): JsonValue {
  if (Array.isArray(value)) return value.map((item) => pick(item, paths));
  if (!isJsonObject(value)) return value;
  const kept: JsonObject = {};
  for (const name of new Set(paths.map((path) => headOf(value, path)))) {
    const found = Object.hasOwn(value, name) ? value[name] : undefined;
    if (found === undefined || found === null) continue;
    const below = paths
      .filter((path) => path.startsWith(`${name}.`))
      .map((path) => path.slice(name.length + 1));
    const inner = paths.includes(name) || below.length === 0 ? found : pick(found, below);
    if (!isJsonObject(inner) || Object.keys(inner).length > 0) kept[name] = inner;
  }
  return kept;
}

/** The name that a path begins with: the whole path where an object has that name, else up to the first dot. */
function headOf(value: JsonObject, path: AnswerPath): string {
  return Object.hasOwn(value, path) ? path : (path.split('.', 1)[0] ?? '');
}
