import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';

/** How deep a value is nested, so that schemas which contain themselves come to an end. */
const deepest = 8;

const texts: Record<string, string> = {
  date: '2026-01-01',
  time: '12:00:00Z',
  'date-time': '2026-01-01T12:00:00Z',
  email: 'demo@example.com',
  uri: 'https://example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/**
 * Returns a value that satisfies a simple JSON Schema: examples and defaults where it has them, and one element in each list. Its
 * texts are what `toText` answers to the name of their field, which is empty outside of objects.
 */
export function toDemoJson(schema: JsonObject, toText: (field: string) => string): JsonValue {
  const toValue = (part: JsonValue | undefined, field: string, depth: number): JsonValue => {
    if (!isJsonObject(part) || depth > deepest) return null;
    const inner = findInner(schema, part);
    if (inner) return toValue(inner, field, depth + 1);
    const given = findGiven(part);
    if (given !== undefined) return given;
    const type = findType(part);
    if (type === 'array')
      return Array.from({ length: toLength(part) }, () => toValue(part.items, field, depth + 1));
    if (type === 'object' || part.properties !== undefined)
      return Object.fromEntries(
        Object.entries(isJsonObject(part.properties) ? part.properties : {}).map(([name, one]) => [
          name,
          toValue(one, name, depth + 1),
        ]),
      );
    return toScalar(part, type, toText(field));
  };
  return toValue(schema, '', 0);
}

function findGiven({ const: fixed, default: usual, examples, enum: allowed }: JsonObject) {
  const [example] = Array.isArray(examples) ? examples : [];
  const [first] = Array.isArray(allowed) ? allowed : [];
  return fixed ?? usual ?? example ?? first;
}

/** Returns the first type that is not null, if there is one. */
function findType({ type }: JsonObject): JsonValue | undefined {
  if (!Array.isArray(type)) return type;
  return type.find((one) => one !== 'null') ?? type[0];
}

function toLength({ minItems, maxItems }: JsonObject): number {
  return Math.min(Math.max(1, toNumber(minItems, 0)), toNumber(maxItems, Infinity));
}

function toScalar(part: JsonObject, type: JsonValue | undefined, text: string): JsonValue {
  if (type === 'integer' || type === 'number') return toAmount(part);
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  const value = typeof part.format === 'string' ? (texts[part.format] ?? text) : text;
  return value.padEnd(toNumber(part.minLength, 0), '.').slice(0, toNumber(part.maxLength, Infinity));
}

/** Returns the number next to one that the bounds allow. */
function toAmount({ minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf }: JsonObject): number {
  const step = toNumber(multipleOf, 1);
  const least = Math.max(toNumber(minimum, -Infinity), toNumber(exclusiveMinimum, -Infinity) + step);
  const most = Math.min(toNumber(maximum, Infinity), toNumber(exclusiveMaximum, Infinity) - step);
  return Math.floor(Math.min(most, Math.ceil(Math.max(least, 1) / step) * step) / step) * step;
}

function toNumber(value: JsonValue | undefined, other: number): number {
  return typeof value === 'number' ? value : other;
}

/** Returns the schema that stands for another one: where it refers to, or the first of its alternatives that is not null. */
function findInner(root: JsonObject, { $ref, anyOf, oneOf, allOf }: JsonObject): JsonValue | undefined {
  const parts = [anyOf, oneOf, allOf].filter((list) => Array.isArray(list)).flat();
  const first = parts.find((part) => isJsonObject(part) && part['type'] !== 'null') ?? parts[0];
  if (typeof $ref !== 'string') return first;
  return $ref
    .split('/')
    .slice(1)
    .reduce<JsonValue | undefined>((place, part) => (isJsonObject(place) ? place[part] : undefined), root);
}
