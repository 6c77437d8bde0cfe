import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { toPointer } from '../../../engines/openapi/openapi-error.ts';
import { flattenSchema, type FlatSchema, type SchemaPart } from './flatten-schema.ts';
import { toPlainText } from './texts.ts';
import { toScalarKeywords, toTypes } from './scalar-keywords.ts';

/** How much of the schemas of an operation is shown to a model. */
export interface SchemaLimits {
  /** How deep objects and lists may be; deeper ones are left open. */
  levels: number;
  /** The maximum number of characters of a description. */
  description: number;
  /** The maximum number of values of an `enum`; longer ones are left out. */
  values: number;
  /** The maximum number of characters that all schemas of an operation may have, about. */
  characters: number;
}

/** Thrown when the schemas of an operation are larger than the limits allow. */
export class SchemaTooLargeError extends Error {}

/** A schema with its JSON pointer in the document. */
export type PlacedSchema = Pick<SchemaPart, 'value' | 'pointer'> & Partial<Pick<SchemaPart, 'above'>>;

/** Reports a part of a document that was left out, with its JSON pointer. */
export type Warn = (pointer: string, message: string) => void;

interface ConverterOptions {
  document: JsonObject;
  limits: SchemaLimits;
  warn: Warn;
}

/** Converts the schemas of one operation of OpenAPI 3.0 or 3.1 to JSON Schema 2020-12, for the arguments of a request. */
export interface SchemaConverter {
  /** @throws SchemaTooLargeError; OpenApiError for a reference that leads nowhere or out of the document */
  convert: (placed: PlacedSchema) => JsonObject;
  /** Follows references and `allOf` of a schema alone. @throws as `convert` */
  flatten: (placed: PlacedSchema) => FlatSchema;
  /** Converts a description, or nothing without one. */
  describe: (keywords: JsonObject) => JsonObject;
  /** Whether something was left open because of the limits, or because it contains itself. */
  wasCut: () => boolean;
}

/**
 * Creates the converter of one operation. References are replaced by what they lead to; a schema that contains itself is
 * left open where it does. Fields that only answers have are left out, and so are keywords whose lack makes the schema
 * wider, since the vendor checks each request again.
 */
export function createSchemaConverter({ document, limits, warn }: ConverterOptions): SchemaConverter {
  let spent = 0;
  const spend = (characters: number) => {
    spent += characters;
    if (spent > limits.characters) throw new SchemaTooLargeError();
  };
  const conversion: Conversion = { document, limits, warn, spend, isCut: false };
  return {
    convert: (placed) => convertPart(conversion, placed, 0),
    flatten: (placed) => flatten(conversion, placed),
    describe: (keywords) => describe(conversion, keywords),
    wasCut: () => conversion.isCut,
  };
}

/** The conversion of the schemas of one operation. */
interface Conversion extends ConverterOptions {
  /** Counts characters. @throws SchemaTooLargeError */
  spend: (characters: number) => void;
  isCut: boolean;
}

function flatten(
  { document, spend }: Conversion,
  { above = new Set(), ...placed }: PlacedSchema,
): FlatSchema {
  return flattenSchema(document, { ...placed, above }, () => spend(10));
}

function describe({ limits, spend }: Conversion, { description, title }: JsonObject): JsonObject {
  const text = toPlainText(description ?? title, limits.description);
  spend(text.length);
  return text === '' ? {} : { description: text };
}

function convertPart(conversion: Conversion, part: PlacedSchema, level: number): JsonObject {
  const { limits, warn, spend } = conversion;
  const flat = flatten(conversion, part);
  const { keywords } = flat;
  const types = toTypes(flat, warn);
  if (flat.isRecursive || (level > limits.levels && hasParts(flat))) {
    conversion.isCut = true;
    return { ...types, ...describe(conversion, keywords) };
  }
  const scalars = toScalarKeywords(keywords, { values: limits.values, isOfNull: isOfNull(types) });
  spend(JSON.stringify(scalars).length);
  return {
    ...types,
    ...describe(conversion, keywords),
    ...scalars,
    ...convertItems(conversion, flat, level),
    ...convertFields(conversion, flat, level),
    ...convertChoices(conversion, flat, level),
    ...(keywords.not !== undefined && isEmpty(keywords.not) ? { not: {} } : {}),
  };
}

function convertItems(conversion: Conversion, { keywords, ...flat }: FlatSchema, level: number): JsonObject {
  const { items } = keywords;
  if (!isJsonObject(items)) return {};
  const part = { value: items, pointer: toPointer(flat.pointer, 'items'), above: flat.above };
  return { items: convertPart(conversion, part, level + 1) };
}

function convertFields(conversion: Conversion, flat: FlatSchema, level: number): JsonObject {
  const { keywords, pointer, above } = flat;
  const { additionalProperties: others } = keywords;
  const fields = listFields(flat).map(([name, part]): [string, JsonObject] => {
    conversion.spend(name.length + 5);
    return [name, convertPart(conversion, part, level + 1)];
  });
  const properties = Object.fromEntries(fields);
  const required = [...flat.required].filter((name) => Object.hasOwn(properties, name));
  const rest = { value: others, pointer: toPointer(pointer, 'additionalProperties'), above };
  return {
    ...(fields.length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(others === false ? { additionalProperties: false } : {}),
    ...(isJsonObject(others) ? { additionalProperties: convertPart(conversion, rest, level + 1) } : {}),
  };
}

/** Documents often say `oneOf` where more than one fits, so that it is read as `anyOf`. */
function convertChoices(conversion: Conversion, flat: FlatSchema, level: number): JsonObject {
  const { keywords, pointer, above } = flat;
  const keyword = isList(keywords.oneOf) ? 'oneOf' : 'anyOf';
  const list = keywords[keyword];
  if (!Array.isArray(list) || list.length === 0) return {};
  const choices = list.map((value, index) =>
    convertPart(conversion, { value, pointer: toPointer(pointer, keyword, index), above }, level + 1),
  );
  if (choices.some(isEmpty)) return {};
  return { anyOf: keywords.nullable === true ? [...choices, { type: 'null' }] : choices };
}

/** Lists the fields of an object that a request may have. */
export function listFields({ properties, keywords }: FlatSchema): [name: string, part: SchemaPart][] {
  if (keywords.type !== undefined && ![keywords.type].flat().includes('object')) return [];
  return [...properties].filter(([, { value }]) => !isJsonObject(value) || value.readOnly !== true);
}

function hasParts({ keywords, properties }: FlatSchema): boolean {
  return (
    properties.size > 0 ||
    isJsonObject(keywords.items) ||
    isJsonObject(keywords.additionalProperties) ||
    isList(keywords.oneOf) ||
    isList(keywords.anyOf)
  );
}

function isList(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.length > 0;
}

function isEmpty(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function isOfNull({ type }: JsonObject): boolean {
  return Array.isArray(type) && type.includes('null');
}
