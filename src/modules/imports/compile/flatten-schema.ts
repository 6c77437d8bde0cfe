import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { toPointer } from '../../../engines/openapi/openapi-error.ts';
import { findReferenced } from '../../../engines/openapi/resolve-reference.ts';
import { toText } from './texts.ts';

/** A schema of a document on its way. */
export interface SchemaPart {
  value: JsonValue | undefined;
  /** Its JSON pointer in the document. */
  pointer: string;
  /** The references that lead here. */
  above: ReadonlySet<string>;
}

/** A schema whose references and `allOf` were followed. */
export interface FlatSchema {
  /** All keywords but `allOf`, `properties` and `required`. */
  keywords: JsonObject;
  properties: Map<string, SchemaPart>;
  required: Set<string>;
  pointer: string;
  above: ReadonlySet<string>;
  /** Whether it is only known to be the schema that contains it. */
  isRecursive: boolean;
}

/**
 * Follows references and merges `allOf`. `spend` is called for each step, and may throw.
 * @throws OpenApiError for a reference that leads nowhere or out of the document
 */
export function flattenSchema(document: JsonObject, part: SchemaPart, spend: () => void): FlatSchema {
  spend();
  const { value, pointer, above } = part;
  const flat: FlatSchema = {
    ...{ keywords: {}, properties: new Map(), required: new Set(), pointer, above },
    isRecursive: false,
  };
  if (value === false) return { ...flat, keywords: { not: {} } };
  if (!isJsonObject(value)) return flat;
  if (typeof value.$ref === 'string') return followReference(document, { ...part, value }, spend);
  const { allOf, properties, required, ...keywords } = value;
  for (const [name, property] of Object.entries(isJsonObject(properties) ? properties : {}))
    flat.properties.set(name, { value: property, pointer: toPointer(pointer, 'properties', name), above });
  if (Array.isArray(required))
    for (const name of required) if (typeof name === 'string') flat.required.add(name);
  const merged = { ...flat, keywords };
  for (const [index, piece] of (Array.isArray(allOf) ? allOf : []).entries()) {
    const inner = { value: piece, pointer: toPointer(pointer, 'allOf', index), above };
    mergeInto(merged, flattenSchema(document, inner, spend));
  }
  return merged;
}

function followReference(
  document: JsonObject,
  { value, pointer, above }: SchemaPart & { value: JsonObject },
  spend: () => void,
): FlatSchema {
  const reference = toText(value.$ref);
  const description = value.description === undefined ? {} : { description: value.description };
  if (above.has(reference)) {
    const name = reference.split('/').at(-1) ?? '';
    const keywords = { description: `As ${name} above`, ...description };
    return {
      ...{ keywords, properties: new Map(), required: new Set(), pointer, above },
      isRecursive: true,
    };
  }
  const target = findReferenced(document, reference, toPointer(pointer, '$ref'));
  const referenced = { value: target, pointer: reference.slice(1), above: new Set([...above, reference]) };
  const found = flattenSchema(document, referenced, spend);
  return { ...found, keywords: { ...found.keywords, ...description } };
}

/** The closedness of a piece is not that of the whole, so `additionalProperties: false` of a piece is left out. */
function mergeInto(whole: FlatSchema, { keywords, properties, required, isRecursive }: FlatSchema): void {
  if (isRecursive) return;
  for (const [name, property] of properties) whole.properties.set(name, property);
  for (const name of required) whole.required.add(name);
  for (const [name, keyword] of Object.entries(keywords))
    if (!Object.hasOwn(whole.keywords, name) && !(name === 'additionalProperties' && keyword === false))
      whole.keywords[name] = keyword;
  if (whole.keywords.additionalProperties === false && properties.size > 0)
    delete whole.keywords.additionalProperties;
}
