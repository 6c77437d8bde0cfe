import type { FieldError } from '../../../domain/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { findSchemaCompiler, type SchemaCompiler } from './schema-compiler.ts';

/** Keywords whose value is a schema, or a list of schemas. */
const withSchema = new Set([
  ...['additionalItems', 'additionalProperties', 'allOf', 'anyOf', 'contains', 'contentSchema', 'else', 'if'],
  ...['items', 'not', 'oneOf', 'prefixItems', 'propertyNames', 'then'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
]);

/** Keywords whose value has a schema for each of its names. */
const withNamedSchemas = new Set([
  ...['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'],
]);

/** Keywords that ajv skips when none of the named ones stands beside them. */
const needed = new Map([
  ['if', ['then', 'else']],
  ['then', ['if']],
  ['else', ['if']],
  ['minContains', ['contains']],
  ['maxContains', ['contains']],
]);

/**
 * Lists the keywords and formats of a schema that no check looks at, with their paths: a value passes whatever they say.
 * The time is linear in the schema.
 */
export function listUnknownKeywords(schema: JsonObject): FieldError[] {
  const compiler = findSchemaCompiler(schema);
  return compiler ? listInSchema(compiler, schema, []) : [];
}

function listInSchema(compiler: SchemaCompiler, schema: JsonObject, path: string[]): FieldError[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const place = [...path, keyword];
    const message = findReason(compiler, schema, keyword);
    if (message !== null) return [{ field: place.join('.'), message }];
    if (withSchema.has(keyword)) return listInValue(compiler, value, place);
    if (!withNamedSchemas.has(keyword) || !isJsonObject(value)) return [];
    return Object.entries(value).flatMap(([name, part]) => listInValue(compiler, part, [...place, name]));
  });
}

function listInValue(compiler: SchemaCompiler, value: JsonValue, path: string[]): FieldError[] {
  if (Array.isArray(value)) {
    return value.flatMap((part, index) => listInValue(compiler, part, [...path, String(index)]));
  }
  return isJsonObject(value) ? listInSchema(compiler, value, path) : [];
}

function findReason(compiler: SchemaCompiler, schema: JsonObject, keyword: string): string | null {
  if (!Object.hasOwn(compiler.RULES.keywords, keyword)) {
    return `"${keyword}" is no keyword of JSON Schema that is checked`;
  }
  const { format } = schema;
  if (keyword === 'format' && typeof format === 'string' && !Object.hasOwn(compiler.formats, format)) {
    return `"${format}" is no format that is checked`;
  }
  const others = needed.get(keyword);
  if (!others || others.some((other) => schema[other] !== undefined)) return null;
  return `"${keyword}" is checked only beside ${others.map((other) => `"${other}"`).join(' or ')}`;
}
