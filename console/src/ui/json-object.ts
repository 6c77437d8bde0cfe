import type { JsonObject, JsonValue } from '../api/types.ts';

/** Returns true for an object of JSON, which is neither null nor a list. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
