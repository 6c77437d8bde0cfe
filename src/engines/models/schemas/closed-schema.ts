import { isJsonObject, type JsonObject } from '../../../domain/json.ts';
import { includesType, walkSchema } from './walk-schema.ts';

/**
 * The most optional fields, and values of several types, that a schema may have.
 * See https://docs.claude.com/en/docs/build-with-claude/structured-outputs#json-schema-limitations.
 */
const mostOptional = 10;
const mostUnions = 16;

const describing = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref'];

/**
 * Returns whether Anthropic holds an answer to a schema: it names the fields of all its objects and does not contain itself.
 * The AI SDK turns keywords that the vendor does not know into descriptions.
 */
export function isClosedSchema(schema: JsonObject): boolean {
  const { parts, isRecursive } = walkSchema(schema);
  const optional = parts.reduce((sum, part) => sum + countOptional(part), 0);
  const unions = parts.filter(
    ({ type, anyOf, oneOf }) => Array.isArray(type) || (anyOf ?? oneOf) !== undefined,
  );
  return (
    !isRecursive &&
    optional <= mostOptional &&
    unions.length <= mostUnions &&
    !parts.some((part) => isOpen(part) || isRefused(part))
  );
}

/** Returns whether a part has values or combinations that the vendor names as not supported. */
function isRefused({ enum: values, allOf }: JsonObject): boolean {
  const hasReference =
    Array.isArray(allOf) && allOf.some((one) => isJsonObject(one) && one.$ref !== undefined);
  return (
    hasReference || (Array.isArray(values) && values.some((value) => typeof value === 'object' && value))
  );
}

function countOptional({ properties, required }: JsonObject): number {
  const needed: unknown[] = Array.isArray(required) ? required : [];
  return isJsonObject(properties)
    ? Object.keys(properties).filter((name) => !needed.includes(name)).length
    : 0;
}

/** Returns whether a value may have fields, or be anything, that the schema does not describe. */
function isOpen(part: JsonObject): boolean {
  const { properties, additionalProperties, patternProperties, items } = part;
  if (!describing.some((keyword) => part[keyword] !== undefined) && properties === undefined) return true;
  if (additionalProperties === true || isJsonObject(additionalProperties)) return true;
  if (patternProperties !== undefined) return true;
  if (includesType(part, 'array') && !isJsonObject(items)) return true;
  return includesType(part, 'object') && properties === undefined && additionalProperties !== false;
}
