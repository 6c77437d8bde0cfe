import { isJsonObject, type JsonObject } from '../../../domain/json.ts';
import { toPointer } from '../../../engines/openapi/openapi-error.ts';
import { resolveReference } from '../../../engines/openapi/resolve-reference.ts';
import type { ImportedOperation } from '../../../engines/providers/imported-definition.ts';
import type { ArgumentNames } from './argument-names.ts';
import { listFields, type SchemaConverter, type Warn } from './convert-schema.ts';
import type { FlatSchema, SchemaPart } from './flatten-schema.ts';
import { toText } from './texts.ts';

/** The fields of a body, and how it is sent. */
export interface CompiledBody {
  properties: JsonObject;
  required: string[];
  parts: Pick<ImportedOperation, 'bodyFormat' | 'mediaType' | 'bodyField' | 'needsBody' | 'files'>;
  /** The reason why no request can be made; null when one can. */
  refusal: string | null;
}

interface BodyParts {
  document: JsonObject;
  operation: JsonObject;
  /** The JSON pointer of the operation. */
  pointer: string;
  converter: SchemaConverter;
  names: ArgumentNames;
  warn: Warn;
}

const noBody: CompiledBody = { properties: {}, required: [], parts: {}, refusal: null };

interface Media {
  type: string;
  definition: JsonObject;
  pointer: string;
  isRequired: boolean;
}

/** Compiles the request body of an operation in the media type that fits best. @throws as the converter */
export function compileBody(parts: BodyParts): CompiledBody {
  const { document, operation } = parts;
  if (operation.requestBody === undefined) return noBody;
  const pointer = toPointer(parts.pointer, 'requestBody');
  const body = resolveReference(document, operation.requestBody, pointer);
  const content = isJsonObject(body.content) ? body.content : {};
  const types = Object.keys(content);
  const isRequired = body.required === true;
  const type = chooseType(types);
  if (type === undefined) {
    if (types.length === 0 || !isRequired) return noBody;
    return { ...noBody, refusal: `a body of type ${types.join(' or ')} cannot be sent` };
  }
  const definition = isJsonObject(content[type]) ? content[type] : {};
  const media = { type, definition, pointer: toPointer(pointer, 'content', type), isRequired };
  return compileMedia(parts, media);
}

const formType = 'application/x-www-form-urlencoded';
const isJson = (type: string) => /^application\/json\b|[+/]json\b|^\*\/\*$/i.test(type);
const isText = (type: string) => /^text\/(?!xml|html)/i.test(type);
const isBinary = (type: string) =>
  /^(application\/(octet-stream|pdf|zip|gzip|x-\w+)|(image|audio|video)\/|application\/vnd\.(?!.*(xml|json)))/i.test(
    type,
  );

function chooseType(types: readonly string[]): string | undefined {
  const find = (fits: (type: string) => boolean) => types.find(fits);
  return (
    find((type) => /^application\/json\b/i.test(type)) ??
    find((type) => /merge-patch\+json/i.test(type)) ??
    find(isJson) ??
    find((type) => type.startsWith(formType)) ??
    find((type) => type.startsWith('multipart/form-data')) ??
    find(isText) ??
    find(isBinary)
  );
}

function compileMedia(parts: BodyParts, media: Media): CompiledBody {
  const { type } = media;
  const isForm = type.startsWith(formType) || type.startsWith('multipart/form-data');
  if (!isJson(type) && !isForm) return compileRaw(parts, media);
  const { converter } = parts;
  const placed = { value: media.definition.schema, pointer: toPointer(media.pointer, 'schema') };
  const flat = converter.flatten(placed);
  const fields = listFields(flat);
  if (fields.length > 0 && (isForm || isClosed(flat))) return compileFields(parts, media, { flat, fields });
  if (isForm) return { ...noBody, refusal: 'its form has no fields' };
  const argument = parts.names.take('body');
  const schema = { ...converter.convert(placed) };
  schema.description ??= 'The body of the request';
  return {
    properties: { [argument]: schema },
    required: media.isRequired ? [argument] : [],
    parts: { bodyField: argument, ...toMediaType(type) },
    refusal: null,
  };
}

/** Whether the fields of an object are all that there is to say about it. */
function isClosed({ keywords }: FlatSchema): boolean {
  const { additionalProperties, oneOf, anyOf, nullable } = keywords;
  const isOpen = isJsonObject(additionalProperties) || additionalProperties === true;
  return !isOpen && oneOf === undefined && anyOf === undefined && nullable !== true;
}

interface BodyFields {
  flat: FlatSchema;
  fields: [name: string, part: SchemaPart][];
}

/** The fields of an object become separate arguments. */
function compileFields(
  { converter, names }: BodyParts,
  { type, definition, isRequired }: Media,
  { flat, fields }: BodyFields,
): CompiledBody {
  const isMultipart = type.startsWith('multipart/');
  const compiled: CompiledBody = { properties: {}, required: [], parts: {}, refusal: null };
  const fileFields: string[] = [];
  for (const [name, part] of fields) {
    const argument = names.take(name);
    const field = converter.flatten(part);
    const files = type.startsWith(formType) ? null : countFiles(field);
    if (files !== null) fileFields.push(argument);
    compiled.properties[argument] = files ? toFileSchema(converter, field, files) : converter.convert(part);
    if (isRequired && flat.required.has(name)) compiled.required.push(argument);
  }
  compiled.parts = {
    ...(type.startsWith(formType) ? { bodyFormat: toFormFormat(definition) } : {}),
    ...(isMultipart ? { bodyFormat: 'multipart' as const } : {}),
    ...(isMultipart || type.startsWith(formType) ? {} : toMediaType(type)),
    ...(isRequired ? { needsBody: true } : {}),
    ...(fileFields.length > 0 ? { files: fileFields } : {}),
  };
  return compiled;
}

/** Forms with nested fields say so by `deepObject` for one of their fields. */
function toFormFormat({ encoding }: JsonObject): 'nested_form' | 'repeated_form' {
  const encodings = isJsonObject(encoding) ? Object.values(encoding) : [];
  const isNested = encodings.some((one) => isJsonObject(one) && one.style === 'deepObject');
  return isNested ? 'nested_form' : 'repeated_form';
}

function toMediaType(type: string): Pick<ImportedOperation, 'mediaType'> {
  return /^application\/json(;|$)|\*/i.test(type) ? {} : { mediaType: type };
}

/** Returns whether a schema stands for a file or for a list of files; null for neither. */
function countFiles({ keywords }: FlatSchema): 'one' | 'many' | null {
  if (isBinarySchema(keywords)) return 'one';
  const { items } = keywords;
  return isJsonObject(items) && isBinarySchema(items) ? 'many' : null;
}

function isBinarySchema({ format, contentMediaType, contentEncoding, type }: JsonObject): boolean {
  if (format === 'binary') return true;
  const isText = typeof contentMediaType === 'string' && /^text\/|json/.test(contentMediaType);
  return type === 'string' && contentMediaType !== undefined && contentEncoding === undefined && !isText;
}

function toFileSchema(
  converter: SchemaConverter,
  { keywords }: Pick<FlatSchema, 'keywords'>,
  count: 'one' | 'many',
): JsonObject {
  const { description } = converter.describe(keywords);
  const one = { type: 'string', format: 'uuid' };
  const text = (toText(description) || 'The file').replace(/[.:\s]+$/, '');
  return count === 'one'
    ? { ...one, description: `${text}: the id of a stored file` }
    : { type: 'array', items: one, description: `${text}: the ids of stored files` };
}

/** The whole body is one text or one file. */
function compileRaw({ converter, names }: BodyParts, { type, definition, isRequired }: Media): CompiledBody {
  const schema = isJsonObject(definition.schema) ? definition.schema : {};
  const argument = names.take(isText(type) ? 'body' : 'file');
  const described = converter.describe(schema);
  const text = { type: 'string', description: `The body of the request as ${type}`, ...described };
  return {
    properties: { [argument]: isText(type) ? text : toFileSchema(converter, { keywords: schema }, 'one') },
    required: isRequired ? [argument] : [],
    parts: {
      bodyFormat: 'raw',
      ...(type.includes('*') ? {} : { mediaType: type }),
      ...(isText(type) ? {} : { files: [argument] }),
    },
    refusal: null,
  };
}
