import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';

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

/** Returns a value that satisfies a simple JSON Schema; its texts are the given one. */
export function toDemoJson(schema: JsonObject, text: string): JsonValue {
  const toValue = (part: JsonValue | undefined, depth: number): JsonValue => {
    if (!isJsonObject(part) || depth > deepest) return null;
    const inner = findInner(schema, part);
    if (inner) return toValue(inner, depth + 1);
    const given = part.const ?? part.default ?? (Array.isArray(part.enum) ? part.enum[0] : undefined);
    if (given !== undefined) return given;
    const [type] = Array.isArray(part.type) ? part.type : [part.type];
    if (type === 'array')
      return Array.from({ length: toNumber(part.minItems) }, () => toValue(part.items, depth + 1));
    if (type === 'object' || part.properties !== undefined)
      return Object.fromEntries(
        Object.entries(isJsonObject(part.properties) ? part.properties : {}).map(([name, field]) => [
          name,
          toValue(field, depth + 1),
        ]),
      );
    return toScalar(part, type, text);
  };
  return toValue(schema, 0);
}

function toScalar(part: JsonObject, type: JsonValue | undefined, text: string): JsonValue {
  if (type === 'integer' || type === 'number') return Math.ceil(toNumber(part.minimum));
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  const value = typeof part.format === 'string' ? (texts[part.format] ?? text) : text;
  return typeof part.maxLength === 'number' ? value.slice(0, part.maxLength) : value;
}

function toNumber(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}

/** Returns the schema that stands for another one: where it refers to, or the first of its alternatives. */
function findInner(root: JsonObject, { $ref, anyOf, oneOf, allOf }: JsonObject): JsonValue | undefined {
  const [first] = [anyOf, oneOf, allOf].filter((list) => Array.isArray(list)).flat();
  if (typeof $ref !== 'string') return first;
  return $ref
    .split('/')
    .slice(1)
    .reduce<JsonValue | undefined>((place, part) => (isJsonObject(place) ? place[part] : undefined), root);
}
