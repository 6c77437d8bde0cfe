import { isDeeperThan, isJsonObject, type JsonObject } from '../../../domain/json.ts';
import { includesType, walkSchema } from './walk-schema.ts';

/**
 * The keywords that OpenAI takes in strict mode, and those without an effect.
 * See https://platform.openai.com/docs/guides/structured-outputs#supported-schemas.
 */
const keywords = new Set([
  ...[
    '$schema',
    '$id',
    '$defs',
    'definitions',
    '$ref',
    'title',
    'description',
    'type',
    'enum',
    'const',
    'anyOf',
  ],
  ...['properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems'],
  ...['pattern', 'format', 'multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
]);

const formats = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
]);

/** The most levels of objects; each level of an object is two levels of its schema. */
const mostLevels = 20;
const mostEnumValues = 1000;

/** Returns whether strict mode takes a schema: it names every field of its objects and requires all of them. */
export function isStrictSchema(schema: JsonObject): boolean {
  if (schema.anyOf !== undefined || isDeeperThan(schema, mostLevels)) return false;
  const { parts } = walkSchema(schema);
  const values = parts.reduce((sum, part) => sum + (Array.isArray(part.enum) ? part.enum.length : 0), 0);
  return values <= mostEnumValues && parts.every(isStrictPart);
}

function isStrictPart(part: JsonObject): boolean {
  if (!Object.keys(part).every((keyword) => keywords.has(keyword))) return false;
  if (typeof part.format === 'string' && !formats.has(part.format)) return false;
  // A reference with a description beside it is refused ("$ref cannot have keywords").
  if (part.$ref !== undefined) return Object.keys(part).length === 1;
  if (part.anyOf !== undefined) return true;
  if (part.type === undefined && part.enum === undefined && part.const === undefined) return false;
  if (includesType(part, 'array') && !isJsonObject(part.items)) return false;
  return !isObject(part) || isClosed(part);
}

function isObject(part: JsonObject): boolean {
  return includesType(part, 'object') || part.properties !== undefined;
}

function isClosed({ properties, required, additionalProperties }: JsonObject): boolean {
  if (additionalProperties !== false || !isJsonObject(properties)) return false;
  const needed: unknown[] = Array.isArray(required) ? required : [];
  return Object.keys(properties).every((name) => needed.includes(name));
}
