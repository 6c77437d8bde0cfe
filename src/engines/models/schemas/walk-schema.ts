import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';

/** The schemas inside a schema. */
interface WalkedSchema {
  /** The schema itself and all schemas in it, each once. */
  parts: JsonObject[];
  /** Whether a part refers to one that contains it, or to a place that is not found. */
  isRecursive: boolean;
}

const single = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'];
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
      const target = resolve(root, schema.$ref);
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

function resolve(root: JsonObject, reference: string): JsonObject | null {
  if (reference !== '#' && !reference.startsWith('#/')) return null;
  let place: JsonValue | undefined = root;
  for (const part of reference.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    place = isJsonObject(place) ? place[key] : undefined;
  }
  return isJsonObject(place) ? place : null;
}

/** Returns whether a schema names a type, alone or among others. */
export function includesType({ type }: JsonObject, wanted: string): boolean {
  return type === wanted || (Array.isArray(type) && type.includes(wanted));
}
