import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { mergeTop } from './merge-top.ts';
import type { ToolRules } from './tool-rules.ts';
import { includesType, mapParts, resolveReference, without } from './walk-schema.ts';

/** A schema that a vendor takes. */
export interface VendorSchema {
  schema: JsonObject;
  /** The field in which the vendor's model gives the arguments; null when it gives them as they are. */
  wrapper: string | null;
}

/**
 * Brings the schema of a tool into a form that a vendor takes: what the vendor refuses at the top is merged into it where
 * that is exact, otherwise the whole schema moves into one field. Elsewhere what it refuses is left out, so that the schema
 * allows at least the same values: arguments are checked against the schema of the tool itself. Equal schemas give equal forms,
 * so that the caches of vendors hold.
 */
export function toVendorSchema(schema: JsonObject, rules: ToolRules): VendorSchema {
  const whole: JsonObject = { type: 'object', properties: {}, ...without(schema, ['$schema', '$id']) };
  const merged = isRefusedOnTop(whole, rules) ? mergeTop(whole) : whole;
  const wrapper = isRefusedOnTop(merged, rules) ? findFreeName(merged) : null;
  const top = wrapper === null ? merged : wrap(merged, wrapper);
  return { schema: adapt(top, top, rules), wrapper };
}

function isRefusedOnTop(schema: JsonObject, { refusedOnTop, fieldName }: ToolRules): boolean {
  if (['$ref', ...refusedOnTop].some((keyword) => schema[keyword] !== undefined)) return true;
  return fieldName !== undefined && listNames(schema).some((name) => !fieldName.test(name));
}

function listNames({ properties }: JsonObject): string[] {
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

/** Returns a name that no part of the schema uses, so that it says by itself whether arguments are in the field. */
function findFreeName(schema: JsonObject): string {
  const text = JSON.stringify(schema);
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? 'input' : `input_${count}`;
    if (!text.includes(`"${name}"`)) return name;
  }
}

function wrap(schema: JsonObject, name: string): JsonObject {
  const { $defs, definitions, ...inner } = schema;
  const move = (part: JsonValue) => moveReferences(part, `#/properties/${name}`);
  return {
    type: 'object',
    properties: { [name]: move(inner) },
    required: [name],
    additionalProperties: false,
    ...($defs !== undefined && { $defs: move($defs) }),
    ...(definitions !== undefined && { definitions: move(definitions) }),
  };
}

/** Definitions stay at the top; all other references lead into the field. */
function moveReferences(part: JsonValue, place: string): JsonValue {
  if (Array.isArray(part)) return part.map((each) => moveReferences(each, place));
  if (!isJsonObject(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, each]) => {
      const isInner =
        key === '$ref' && typeof each === 'string' && /^#(?!\/(?:\$defs|definitions)\/)/.test(each);
      return [key, isInner ? place + each.slice(1) : moveReferences(each, place)];
    }),
  );
}

function adapt(part: JsonObject, root: JsonObject, rules: ToolRules): JsonObject {
  const fitted = fitPart(part, root, rules);
  const adapted = mapParts(fitted, (each) => (isJsonObject(each) ? adapt(each, root, rules) : each));
  // A looser schema under `not`, `if` or `oneOf` refuses values that the former one allows.
  const loosened = ['not', 'if', 'oneOf'].filter(
    (keyword) => !isDeepStrictEqual(adapted[keyword], part[keyword]),
  );
  if (loosened.includes('if')) loosened.push('then', 'else');
  const kept = without(adapted, loosened);
  if (!loosened.includes('oneOf') || adapted.oneOf === undefined) return kept;
  return kept.anyOf === undefined ? { ...kept, anyOf: adapted.oneOf } : kept;
}

/** Changes one schema, and not those in it. */
function fitPart(part: JsonObject, root: JsonObject, rules: ToolRules): JsonObject {
  const changes = [fitTuple, fitReference, fitPatterns, fitValues];
  return changes.reduce((fitted, change) => change(fitted, rules, root), part);
}

/** Vendors know tuples as version 2020-12 writes them. */
function fitTuple(part: JsonObject, { needsItems = false }: ToolRules): JsonObject {
  if (Array.isArray(part.items)) {
    const { items, additionalItems, ...rest } = part;
    return { ...rest, prefixItems: items, items: additionalItems ?? {} };
  }
  return needsItems && includesType(part, 'array') && part.items === undefined
    ? { ...part, items: {} }
    : part;
}

function fitReference(
  part: JsonObject,
  { wantsBareReferences = false }: ToolRules,
  root: JsonObject,
): JsonObject {
  const { $ref } = part;
  if (typeof $ref !== 'string') return part;
  if (!resolveReference(root, $ref)) return without(part, ['$ref']);
  return wantsBareReferences
    ? Object.fromEntries(Object.entries(part).filter(([keyword]) => keyword.startsWith('$')))
    : part;
}

const lookAround = /\(\?[=!<]/;

function fitPatterns(part: JsonObject, { refusesLookAround = false }: ToolRules): JsonObject {
  if (!refusesLookAround) return part;
  const { pattern, patternProperties } = part;
  const isRefused = typeof pattern === 'string' && lookAround.test(pattern);
  const fitted = isRefused ? without(part, ['pattern']) : part;
  if (!isJsonObject(patternProperties)) return fitted;
  const refused = Object.keys(patternProperties).filter((name) => lookAround.test(name));
  if (refused.length === 0) return fitted;
  const kept = { ...fitted, patternProperties: without(patternProperties, refused) };
  return without(kept, ['additionalProperties', 'unevaluatedProperties']);
}

function fitValues(part: JsonObject, { wantsPlainValues = false }: ToolRules): JsonObject {
  if (!wantsPlainValues || (part.const === undefined && !Array.isArray(part.enum))) return part;
  const { const: one, enum: list, ...rest } = part;
  const values = one === undefined ? list : [one];
  const isPlain =
    Array.isArray(values) && values.every((value) => ['string', 'number'].includes(typeof value));
  if (isPlain) return { ...rest, enum: values };
  const said = typeof rest.description === 'string' ? `${rest.description} ` : '';
  return { ...rest, description: `${said}One of ${JSON.stringify(values)}.` };
}
