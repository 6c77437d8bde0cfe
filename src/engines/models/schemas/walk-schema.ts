import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';

/** The schemas inside a schema. */
interface WalkedSchema {
  /** The schema itself and all schemas in it, each once. */
  parts: JsonObject[];
  /** Whether a part refers to one that contains it, or to a place that is not found. */
  isRecursive: boolean;
}

const single = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'];
/** Keywords with a schema that no vendor holds answers to. */
const singleToo = ['unevaluatedItems', 'unevaluatedProperties', 'additionalItems', 'contentSchema'];
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'];
const maps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/** Lists the schemas inside a JSON Schema, and follows its references. `true` stands there as `{}`, which is the same. */
export function walkSchema(root: JsonObject): WalkedSchema {
  const walked = new Set<JsonObject>();
  const open = new Set<JsonObject>();
  let isRecursive = false;
  const visit = (schema: JsonValue | undefined): void => {
    if (!isJsonObject(schema)) return;
    if (open.has(schema)) isRecursive = true;
    if (walked.has(schema)) return;
    walked.add(schema);
    open.add(schema);
    for (const part of listParts(schema)) visit(toSchema(part));
    if (typeof schema.$ref === 'string') {
      const target = resolveReference(root, schema.$ref);
      if (target) visit(target);
      else isRecursive = true;
    }
    open.delete(schema);
  };
  visit(root);
  return { parts: [...walked], isRecursive };
}

/** A schema that allows nothing is one of a kind that no vendor takes. */
function toSchema(part: JsonValue): JsonValue {
  if (typeof part !== 'boolean') return part;
  return part ? {} : { not: {} };
}

/** Returns the schemas directly inside a schema. `additionalProperties: false` is what closes an object, and no schema. */
function listParts(schema: JsonObject): JsonValue[] {
  return [
    ...single.flatMap((keyword) => {
      const part = schema[keyword] ?? [];
      return keyword === 'additionalProperties' && part === false ? [] : part;
    }),
    ...lists.flatMap((keyword) => (Array.isArray(schema[keyword]) ? schema[keyword] : [])),
    ...maps.flatMap((keyword) => (isJsonObject(schema[keyword]) ? Object.values(schema[keyword]) : [])),
  ];
}

/** Returns the schema that a reference of a schema leads to; null for one that leads out of it, or nowhere. */
export function resolveReference(root: JsonObject, reference: string): JsonObject | null {
  if (reference !== '#' && !reference.startsWith('#/')) return null;
  let place: JsonValue | undefined = root;
  for (const part of reference.split('/').slice(1)) {
    const key = decodeKey(part);
    place = typeof place === 'object' && place !== null ? (place as JsonObject)[key] : undefined;
  }
  return isJsonObject(place) ? place : null;
}

function decodeKey(part: string): string {
  const key = /%[\dA-Fa-f]{2}/.test(part) ? (safeDecode(part) ?? part) : part;
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}

function safeDecode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Returns a schema with the schemas directly inside it changed. */
export function mapParts(schema: JsonObject, change: (part: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (lists.includes(keyword) && Array.isArray(value)) return [keyword, value.map(change)];
      if (maps.includes(keyword) && isJsonObject(value)) {
        return [
          keyword,
          Object.fromEntries(Object.entries(value).map(([name, part]) => [name, change(part)])),
        ];
      }
      return [keyword, single.includes(keyword) || singleToo.includes(keyword) ? change(value) : value];
    }),
  );
}

/** Returns a schema, or named schemas, without some of its keywords or names. */
export function without(part: JsonObject, keywords: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(part).filter(([keyword]) => !keywords.includes(keyword)));
}

/** Returns whether a schema names a type, alone or among others. */
export function includesType({ type }: JsonObject, wanted: string): boolean {
  return type === wanted || (Array.isArray(type) && type.includes(wanted));
}
