import type { JsonValue } from '../api/types.ts';

/** Returns the value of a text of JSON; undefined when it is none. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
