import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';

/**
 * Finds a pin whose value the arguments of a call do not have; undefined when they have all of them. A path goes
 * through the elements of arrays, each of which must have the value: unlike the paths of rules, which are about the
 * values that are there, a pin does not hold where one of them is missing.
 */
export function findBrokenPin(input: JsonObject, pins: JsonObject): string | undefined {
  return Object.entries(pins).find(([path, value]) => !holds(input, path.split('.'), value))?.[0];
}

function holds(found: JsonValue, names: string[], value: JsonValue): boolean {
  if (names.length === 0) return isDeepStrictEqual(found, value);
  if (Array.isArray(found)) return found.length > 0 && found.every((element) => holds(element, names, value));
  if (!isJsonObject(found)) return false;
  // A name may hold dots itself.
  const parts = names.flatMap((_, index): [JsonValue, string[]][] => {
    const name = names.slice(0, index + 1).join('.');
    const part = Object.hasOwn(found, name) ? found[name] : undefined;
    return part === undefined ? [] : [[part, names.slice(index + 1)]];
  });
  return parts.length > 0 && parts.every(([part, rest]) => holds(part, rest, value));
}
