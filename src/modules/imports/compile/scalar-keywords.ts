import type { JsonObject, JsonValue } from '../../../domain/json.ts';
import { toPointer } from '../../../engines/openapi/openapi-error.ts';
import { refusalOfPattern } from '../../../engines/tools/json-schema/linear-regexp.ts';
import type { FlatSchema } from './flatten-schema.ts';

const types = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

/** The keywords with numbers; those with `false` count things, and are whole and not negative. */
const numbers = {
  minimum: true,
  maximum: true,
  multipleOf: true,
  minLength: false,
  maxLength: false,
  minItems: false,
  maxItems: false,
  minProperties: false,
  maxProperties: false,
};

const formats = new Set(['date', 'date-time', 'time', 'email', 'uuid', 'uri', 'ipv4', 'ipv6', 'hostname']);

const mostDefaultCharacters = 200;

/** Patterns repeat in documents, and each takes about a millisecond to compile. */
const patterns = new Map<string, boolean>();

function isUsablePattern(pattern: string): boolean {
  const known = patterns.get(pattern);
  if (known !== undefined) return known;
  const isUsable = refusalOfPattern(pattern) === null;
  patterns.set(pattern, isUsable);
  return isUsable;
}

/** Returns the `type` of a schema, with `null` for `nullable` of OpenAPI 3.0. */
export function toTypes(
  { keywords, properties, pointer }: Pick<FlatSchema, 'keywords' | 'properties' | 'pointer'>,
  warn: (pointer: string, message: string) => void,
): JsonObject {
  const given = keywords.type === undefined ? inferType(keywords, properties) : [keywords.type].flat();
  const known = given.filter((type): type is string => typeof type === 'string' && types.has(type));
  if (known.length < given.length)
    warn(
      toPointer(pointer, 'type'),
      `${JSON.stringify(keywords.type)} is no type of JSON; any value is taken`,
    );
  if (known.length === 0 || known.length < given.length) return {};
  const all = keywords.nullable === true && !known.includes('null') ? [...known, 'null'] : known;
  return { type: all.length === 1 ? (all[0] ?? null) : all };
}

function inferType(
  { items, additionalProperties }: JsonObject,
  properties: ReadonlyMap<string, unknown>,
): JsonValue[] {
  if (properties.size > 0 || (typeof additionalProperties === 'object' && additionalProperties !== null))
    return ['object'];
  return items === undefined ? [] : ['array'];
}

interface ScalarLimits {
  /** The maximum number of values of an `enum`. */
  values: number;
  /** Whether null is one of the types. */
  isOfNull: boolean;
}

/** Returns the keywords of a schema that hold no schemas. */
export function toScalarKeywords(keywords: JsonObject, { values, isOfNull }: ScalarLimits): JsonObject {
  const { format, pattern, uniqueItems, default: value } = keywords;
  const isShort = value !== undefined && JSON.stringify(value).length <= mostDefaultCharacters;
  return {
    ...toEnum(keywords, { values, isOfNull }),
    ...toLimits(keywords),
    ...(typeof format === 'string' && formats.has(format) ? { format } : {}),
    ...(typeof pattern === 'string' && pattern.length <= 1_000 && isUsablePattern(pattern)
      ? { pattern }
      : {}),
    ...(uniqueItems === true ? { uniqueItems } : {}),
    ...(isShort ? { default: value } : {}),
  };
}

function toEnum(keywords: JsonObject, { values, isOfNull }: ScalarLimits): JsonObject {
  if (keywords.const !== undefined) return { const: keywords.const };
  const { enum: list } = keywords;
  if (!Array.isArray(list) || list.length === 0 || list.length > values) return {};
  const unique = [...new Map(list.map((one) => [JSON.stringify(one), one])).values()];
  return { enum: isOfNull && !unique.includes(null) ? [...unique, null] : unique };
}

/** In OpenAPI 3.0 `exclusiveMinimum` is a switch of `minimum`, in 3.1 a number. */
function toLimits(keywords: JsonObject): JsonObject {
  const found: JsonObject = {};
  const exclusive = new Map<string, JsonObject>();
  for (const [name, isAny] of Object.entries(numbers)) {
    const value = keywords[name];
    if (typeof value !== 'number' || !Number.isFinite(value)) continue;
    if (name === 'multipleOf' ? value > 0 : isAny || (Number.isInteger(value) && value >= 0))
      found[name] = value;
  }
  for (const [switched, name] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const value = keywords[switched];
    if (typeof value === 'number' && Number.isFinite(value)) found[switched] = value;
    const limit = found[name];
    if (value === true && limit !== undefined) exclusive.set(name, { [switched]: limit });
  }
  const plain = Object.entries(found).filter(([name]) => !exclusive.has(name));
  return Object.assign(Object.fromEntries(plain), ...exclusive.values()) as JsonObject;
}
