/** Any value that JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** A JSON object, such as a JSON Schema or the arguments of a tool call. */
export type JsonObject = { [key: string]: JsonValue };

/** Returns whether a value is a JSON object: neither null, nor an array, nor a scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses a JSON object; null when the text is not one. */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Returns whether objects and arrays are nested deeper than `levels`. It uses no recursion. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= levels; depth += 1) {
    level = level.flatMap((part): unknown[] =>
      typeof part === 'object' && part !== null ? Object.values(part) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}
