import { isJsonObject, type JsonValue } from '../domain/json.ts';

/** Returns the value at a path of names in an answer; undefined when there is none. */
export function valueAt(answer: JsonValue | undefined, ...path: string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (value, name) => (isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    answer,
  );
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
