import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { resolveReference, without } from './walk-schema.ts';

/** Keywords that say nothing about values. */
const annotations = ['title', 'description', '$comment', 'default', 'examples', 'deprecated'];

/** Keywords whose meaning depends on the fields beside them. */
const dependent = ['additionalProperties', 'unevaluatedProperties'];

/** The most references that are followed one behind the other: each may double what is merged. */
const mostFollowed = 8;

/** Where the parts of a schema are found. */
interface Place {
  root: JsonObject;
  /** The schemas that are merged now, and which contain themselves when they are met again. */
  open: readonly JsonObject[];
}

/**
 * Merges `$ref` and `allOf`, and `anyOf` or `oneOf` of one schema, into the schema of an object, where the result allows the
 * same values. Returns the schema as it is where it does not.
 */
export function mergeTop(schema: JsonObject, place: Place = { root: schema, open: [] }): JsonObject {
  const { $ref, allOf, ...rest } = schema;
  const parts = [...($ref === undefined ? [] : [{ $ref }]), ...toList(allOf)];
  const kept = Object.entries(rest).filter(([keyword, value]) => {
    const isSingle =
      (keyword === 'anyOf' || keyword === 'oneOf') && Array.isArray(value) && value.length === 1;
    if (isSingle) parts.push(...value);
    return !isSingle;
  });
  const base: JsonObject = Object.fromEntries(kept);
  return (
    parts.reduce<JsonObject | null>((merged, part) => merged && addPart(merged, part, place), base) ?? schema
  );
}

function toList(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** Returns null when a part cannot be merged. */
function addPart(base: JsonObject, part: JsonValue, { root, open }: Place): JsonObject | null {
  if (part === true) return base;
  if (!isJsonObject(part) || dependent.some((keyword) => (base[keyword] ?? true) !== true)) return null;
  const target = typeof part.$ref === 'string' ? resolveReference(root, part.$ref) : null;
  if (target === root || (target && (open.includes(target) || open.length >= mostFollowed))) return null;
  const found = target ? withTarget(part, target) : part;
  const merged = mergeTop(found, { root, open: target ? [...open, target] : open });
  const { type = 'object', properties = {}, required = [], ...others } = without(merged, annotations);
  if (type !== 'object' || Object.keys(others).length > 0) return null;
  const present = base.properties ?? {};
  if (!isJsonObject(properties) || !isJsonObject(present)) return null;
  const fields = Object.entries(properties).map(([name, field]) => [name, meet(present[name], field)]);
  const needed = [...new Set([...toList(base.required), ...toList(required)])];
  return {
    ...base,
    properties: { ...present, ...(Object.fromEntries(fields) as JsonObject) },
    ...(needed.length > 0 && { required: needed }),
  };
}

/** Returns what a reference leads to, with what is said beside the reference. */
function withTarget(part: JsonObject, target: JsonObject): JsonObject {
  const beside = without(part, ['$ref', ...annotations]);
  return Object.keys(beside).length === 0 ? target : { allOf: [target, beside] };
}

function meet(one: JsonValue | undefined, other: JsonValue): JsonValue {
  return one === undefined || isDeepStrictEqual(one, other) ? other : { allOf: [one, other] };
}
