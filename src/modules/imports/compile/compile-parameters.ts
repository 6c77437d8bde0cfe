import { connectionHeaders } from '../../../domain/connection-headers.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import type { ParameterStyle } from '../../../platform/lib/parameter-pairs.ts';
import type { OpenApiParameter } from '../../../engines/openapi/merge-parameters.ts';
import { toPointer } from '../../../engines/openapi/openapi-error.ts';
import type { ArgumentNames } from './argument-names.ts';
import type { SchemaConverter, Warn } from './convert-schema.ts';

/** Headers that OpenAPI defines elsewhere, and those that HTTP itself or the connection uses. */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization']);
const refusedHeaders = new Set<string>([...connectionHeaders, 'content-encoding', 'cookie']);

const idempotencyHeaders = new Set(['idempotency-key', 'x-idempotency-key']);

/** The fields of an input, and where they go. */
export interface CompiledParameters {
  /** The template of the path with the names of arguments in braces. */
  path: string;
  properties: JsonObject;
  required: string[];
  query: string[];
  styles: Record<string, ParameterStyle>;
  headers: Record<string, string>;
  /** The header that takes a key, if the document names one. */
  idempotencyHeader: string | undefined;
  /** The reason why no request can be made; null when one can. */
  refusal: string | null;
}

interface ParameterParts {
  path: string;
  pointer: string;
  parameters: readonly OpenApiParameter[];
  converter: SchemaConverter;
  names: ArgumentNames;
  warn: Warn;
  /** The headers that the credentials of connections are in, in lower case. */
  authHeaders: ReadonlySet<string>;
}

/** Places the parameters of an operation. @throws as the converter */
export function compileParameters({ parameters, ...parts }: ParameterParts): CompiledParameters {
  const compiled: CompiledParameters = {
    ...{ path: parts.path, properties: {}, required: [], query: [], styles: {}, headers: {} },
    ...{ idempotencyHeader: undefined, refusal: null },
  };
  for (const place of ['path', 'query', 'header', 'cookie'] as const)
    for (const parameter of parameters.filter((one) => one.in === place))
      placers[place](compiled, parameter, parts);
  addUndeclared(compiled, parts);
  return compiled;
}

type Place = (compiled: CompiledParameters, parameter: OpenApiParameter, parts: PlacingParts) => void;
type PlacingParts = Omit<ParameterParts, 'parameters'>;

const placers: Record<'path' | 'query' | 'header' | 'cookie', Place> = {
  path: (compiled, parameter, parts) => {
    const { name, pointer } = parameter;
    if (!compiled.path.includes(`{${name}}`)) {
      parts.warn(pointer, `the path has no {${name}}; the parameter is left out`);
      return;
    }
    const argument = parts.names.take(name, true);
    addField(compiled, { argument, parameter, parts });
    compiled.path = compiled.path.replaceAll(`{${name}}`, `{${argument}}`);
  },
  query: (compiled, parameter, parts) => {
    const argument = parts.names.take(parameter.name);
    const schema = addField(compiled, { argument, parameter, parts });
    compiled.query.push(argument);
    const style = toStyle(parameter.definition, schema);
    if (style) compiled.styles[argument] = style;
  },
  header: (compiled, parameter, parts) => {
    const { name, pointer, required } = parameter;
    const lower = name.toLowerCase();
    if (ignoredHeaders.has(lower) || parts.authHeaders.has(lower)) return;
    if (idempotencyHeaders.has(lower)) {
      compiled.idempotencyHeader = name;
      return;
    }
    if (refusedHeaders.has(lower) || !/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name)) {
      parts.warn(pointer, `the header "${name}" cannot be set; the parameter is left out`);
      if (required) compiled.refusal = `it needs the header "${name}", which cannot be set`;
      return;
    }
    const argument = parts.names.take(name, true);
    addField(compiled, { argument, parameter, parts });
    compiled.headers[name] = `{${argument}}`;
  },
  cookie: (compiled, { name, pointer, required }, { warn }) => {
    warn(pointer, `cookies are not sent; the parameter "${name}" is left out`);
    if (required) compiled.refusal = `it needs the cookie "${name}", and cookies are not sent`;
  },
};

interface FieldParts {
  argument: string;
  parameter: OpenApiParameter;
  parts: PlacingParts;
}

/** A parameter has a `schema`, or the schema of its one media type. */
function addField(compiled: CompiledParameters, { argument, parameter, parts }: FieldParts): JsonObject {
  const { definition, pointer, required } = parameter;
  const { converter } = parts;
  const [media] = isJsonObject(definition.content) ? Object.entries(definition.content) : [];
  const placed = media
    ? {
        value: isJsonObject(media[1]) ? media[1].schema : undefined,
        pointer: toPointer(pointer, 'content', media[0], 'schema'),
      }
    : { value: definition.schema, pointer: toPointer(pointer, 'schema') };
  const schema = { ...converter.convert(placed), ...converter.describe({ ...pickDescription(definition) }) };
  compiled.properties[argument] = schema;
  if (required) compiled.required.push(argument);
  return schema;
}

function pickDescription({ description }: JsonObject): JsonObject {
  return description === undefined ? {} : { description };
}

/** Scalars are written in one way whatever their style is. */
function toStyle({ style, explode, content }: JsonObject, schema: JsonObject): ParameterStyle | null {
  if (content !== undefined) return { style: 'json' };
  const types: JsonValue[] = schema.type === undefined ? [] : [schema.type].flat();
  const isScalar = types.length > 0 && !types.includes('array') && !types.includes('object');
  if (isScalar) return null;
  return {
    ...(typeof style === 'string' && style !== 'form' ? { style } : {}),
    ...(typeof explode === 'boolean' ? { explode } : {}),
  };
}

/** A part of the path that the document does not declare is a text. */
function addUndeclared(compiled: CompiledParameters, { names, pointer, warn, path }: PlacingParts): void {
  for (const [, name = ''] of path.matchAll(/\{([^{}]*)\}/g)) {
    if (!compiled.path.includes(`{${name}}`) || Object.hasOwn(compiled.properties, name)) continue;
    warn(pointer, `the path has {${name}}, which no parameter declares; it is taken as a text`);
    const argument = names.take(name, true);
    compiled.properties[argument] = { type: 'string' };
    compiled.required.push(argument);
    compiled.path = compiled.path.replaceAll(`{${name}}`, `{${argument}}`);
  }
}
