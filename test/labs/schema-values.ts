import fc from 'fast-check';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/domain/json.ts';

/** Any JSON value, without the texts that cannot be stored. */
const anyJson = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;

/** JSON Schemas, some of which are not valid. */
const schemas = fc.oneof(
  fc.constantFrom<JsonValue>(
    { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'array', items: { type: 'number' } },
    { $defs: { a: true }, $ref: '#/$defs/a' },
    { $schema: 'http://json-schema.org/draft-07/schema#' },
    { type: 'strange' },
    { minLength: -1 },
    { properties: { a: 1 } },
  ),
  fc.object({ maxDepth: 2 }) as fc.Arbitrary<JsonObject>,
);

/**
 * Values that a JSON Schema describes, with its limits reached: the texts and lists are as short or as long as they may
 * be, or anything between.
 */
export function valuesOf(schema: JsonObject): fc.Arbitrary<JsonValue> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const variants = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(variants)) return fc.oneof(...variants.filter(isJsonObject).map(valuesOf));
  if (typeof schema.$ref === 'string') return schemas;
  switch (schema.type) {
    case 'object':
      return objectsOf(schema);
    case 'array':
      return listsOf(schema);
    case 'string':
      return textsOf(schema);
    case 'integer':
    case 'number':
      return numbersOf(schema);
    case 'boolean':
      return fc.boolean();
    default:
      return anyJson;
  }
}

function objectsOf({ properties, required }: JsonObject): fc.Arbitrary<JsonValue> {
  if (!isJsonObject(properties)) return fc.object({ maxDepth: 2 }) as fc.Arbitrary<JsonObject>;
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, isJsonObject(part) ? valuesOf(part) : anyJson]),
  );
  return fc.record(fields, { requiredKeys: Array.isArray(required) ? required.map(String) : [] });
}

function listsOf({ items, minItems = 0, maxItems = 5 }: JsonObject): fc.Arbitrary<JsonValue> {
  const item = isJsonObject(items) ? valuesOf(items) : anyJson;
  const [least, most] = [Number(minItems), Math.min(Number(maxItems), 30)];
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.array(item, { minLength: least, maxLength: Math.max(least, Math.min(most, 3)) }),
    },
    { weight: 1, arbitrary: fc.array(item, { minLength: most, maxLength: most + 1 }) },
  );
}

function textsOf({ minLength = 0, maxLength = 50, pattern, format }: JsonObject): fc.Arbitrary<JsonValue> {
  if (format === 'uuid') return fc.uuid();
  const [least, most] = [Number(minLength), Number(maxLength)];
  const free = fc.string({ unit: 'binary', minLength: least, maxLength: Math.min(most, 20) });
  // A face is one character of JSON Schema and two of JavaScript.
  const long = fc
    .constantFrom('a', '😀')
    .chain((unit) => fc.constantFrom(most, most + 1).map((n) => unit.repeat(n)));
  const matching =
    typeof pattern === 'string' ? fc.stringMatching(new RegExp(pattern, 'u'), { size: 'xsmall' }) : free;
  return fc.oneof(
    { weight: 6, arbitrary: matching },
    { weight: 3, arbitrary: free },
    { weight: 1, arbitrary: long },
    { weight: 1, arbitrary: fc.constantFrom('', ' ', '\n\t', '\u2028', '\u00a0') },
  );
}

function numbersOf({ minimum = -1000, maximum = 1000 }: JsonObject): fc.Arbitrary<JsonValue> {
  const [least, most] = [Number(minimum), Number(maximum)];
  return fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: Math.max(least, -1e9), max: Math.min(most, 1e9) }) },
    { weight: 1, arbitrary: fc.constantFrom(least, most, least - 1, most + 1, 1.5) },
  );
}

/** Values with one part replaced, left out or added. */
export function mutationsOf(values: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  return fc
    .tuple(values, fc.nat(), fc.constantFrom('replace', 'remove', 'add'), anyJson)
    .map(([value, place, change, part]) => mutate(structuredClone(value), { place, change, part }));
}

interface Mutation {
  place: number;
  change: string;
  part: JsonValue;
}

function mutate(value: JsonValue, { place, change, part }: Mutation): JsonValue {
  const places = listPlaces(value);
  const chosen = places[place % Math.max(1, places.length)];
  if (!chosen) return part;
  const [holder, key] = chosen;
  if (change === 'remove') Reflect.deleteProperty(holder, key);
  else Reflect.set(holder, change === 'add' ? `${key}x` : key, part);
  // An array with a hole is no JSON.
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}

function listPlaces(value: JsonValue): [holder: object, key: string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [
    [value, key] as [object, string],
    ...listPlaces(part),
  ]);
}
