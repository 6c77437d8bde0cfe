import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';

/**
 * Finds all values at a dotted path such as `recipient.country`. A path goes through the elements of arrays:
 * `items.price` is the price of every item. A name may hold dots itself. Empty when there is no such field.
 */
export function findAtPath(input: JsonObject, path: string): JsonValue[] {
  return collect(input, path.split('.'));
}

/** Replaces each array by its elements, at any depth. */
export function toSingleValues(values: JsonValue[]): JsonValue[] {
  return values.flatMap((value): JsonValue[] => (Array.isArray(value) ? toSingleValues(value) : [value]));
}

function collect(value: JsonValue, names: string[]): JsonValue[] {
  if (names.length === 0) return [value];
  if (Array.isArray(value)) return value.flatMap((element) => collect(element, names));
  if (!isJsonObject(value)) return [];
  return names.flatMap((_, index) => {
    const name = names.slice(0, index + 1).join('.');
    const part = Object.hasOwn(value, name) ? value[name] : undefined;
    return part === undefined ? [] : collect(part, names.slice(index + 1));
  });
}
