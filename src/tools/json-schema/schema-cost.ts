import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';

function safeDecode(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    // ajv says what is wrong with it.
    return reference;
  }
}

function resolvePointer(root: JsonObject, reference: string): JsonValue | undefined {
  if (!reference.startsWith('#')) return undefined;
  const path = safeDecode(reference);
  let place: JsonValue | undefined = root;
  for (const part of path.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof place !== 'object' || place === null) return undefined;
    place = (place as JsonObject)[key];
  }
  return place;
}

/**
 * Counts the steps of all branches of a schema when each reference is followed, without recursion.
 * A few dozen definitions that each refer twice to the next one are short to write and take years to check.
 */
export function costOfSchema(root: JsonObject): number {
  const costs = new Map<JsonValue, number>();
  const costOf = (value: JsonValue): number => {
    if (typeof value !== 'object' || value === null) return 0;
    const known = costs.get(value);
    if (known !== undefined) return known;
    costs.set(value, 1);
    let cost = 1;
    for (const part of Object.values(value)) cost += costOf(part);
    if (isJsonObject(value) && typeof value.$ref === 'string') {
      cost += costOf(resolvePointer(root, value.$ref) ?? null);
    }
    costs.set(value, cost);
    return cost;
  };
  return costOf(root);
}
