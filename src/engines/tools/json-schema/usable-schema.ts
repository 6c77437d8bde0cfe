import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { refusalOfPattern } from './linear-regexp.ts';

/** Values, not schemas: what looks like a pattern in there is none. */
const valueKeywords = new Set(['const', 'default', 'enum', 'examples']);

/** Keywords that hold a schema for each name, so that a field named `pattern` is none. */
const named = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);

/** Keywords by which a value may be refused because it fits a schema, or be one that no other keyword has looked at. */
const negative = new Set([
  ...['not', 'if', 'then', 'else', 'contains', 'minContains', 'maxContains', 'unevaluatedItems'],
  'unevaluatedProperties',
]);

/** A regular expression of a schema that cannot be matched in bounded time. */
export interface UnusablePattern {
  /** A JSON pointer. */
  place: string;
  refusal: string;
}

/** Finds the first regular expression of a schema that cannot be matched in bounded time. */
export function findUnusablePattern(value: JsonValue, path = '', isNamed = false): UnusablePattern | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, part] of Object.entries(value)) {
    const place = `${path}/${key}`;
    for (const pattern of isNamed ? [] : listPatterns(key, part)) {
      const refusal = refusalOfPattern(pattern);
      if (refusal !== null) return { place, refusal };
    }
    const isValue = !isNamed && valueKeywords.has(key);
    const found = isValue ? null : findUnusablePattern(part, place, !isNamed && named.has(key));
    if (found) return found;
  }
  return null;
}

function listPatterns(key: string, part: JsonValue): string[] {
  if (key === 'pattern' && typeof part === 'string') return [part];
  return key === 'patternProperties' && isJsonObject(part) ? Object.keys(part) : [];
}

/**
 * A schema that allows all that the given one allows, without the regular expressions that cannot be matched in bounded
 * time (look-around, back references, over 1000 repetitions). Only for the arguments of tools: the program that runs the
 * tool checks them again. Returns the schema itself when it has no such expression.
 */
export function withoutUnusablePatterns(schema: JsonObject): JsonObject {
  return findUnusablePattern(schema) ? (loosen(schema, false) as JsonObject) : schema;
}

function loosen(part: JsonValue, isNamed: boolean): JsonValue {
  if (Array.isArray(part)) return part.map((each) => loosen(each, false));
  if (!isJsonObject(part)) return part;
  if (isNamed) return mapEntries(part, ([name, each]) => [[name, loosen(each, false)]]);
  const opens =
    isJsonObject(part.patternProperties) && hasUnusable('patternProperties', part.patternProperties);
  return mapEntries(part, ([key, each]) => {
    if (negative.has(key) || (opens && key === 'additionalProperties')) return [];
    if (key === 'patternProperties' && isJsonObject(each)) return [[key, loosenPatternProperties(each)]];
    if (hasUnusable(key, each)) return [];
    if (valueKeywords.has(key)) return [[key, each]];
    return [[key === 'oneOf' ? 'anyOf' : key, loosen(each, named.has(key))]];
  });
}

function loosenPatternProperties(properties: JsonObject): JsonObject {
  return mapEntries(properties, ([pattern, each]) =>
    refusalOfPattern(pattern) === null ? [[pattern, loosen(each, false)]] : [],
  );
}

function hasUnusable(key: string, part: JsonValue): boolean {
  return listPatterns(key, part).some((pattern) => refusalOfPattern(pattern) !== null);
}

type Entry = [string, JsonValue];

function mapEntries(part: JsonObject, map: (entry: Entry) => Entry[]): JsonObject {
  return Object.fromEntries(Object.entries(part).flatMap(map));
}
