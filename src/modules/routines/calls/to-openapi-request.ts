import { HoldfastError } from '../../../domain/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { createRoutineError } from '../../../domain/routine-error.ts';
import type { OpenApiParameter } from '../../../engines/openapi/merge-parameters.ts';
import { buildRequest, toFetchRequest, type PlacingRules } from '../../../engines/providers/build-request.ts';
import type { Operation, RequestTemplate } from '../../../engines/providers/define-operation.ts';
import type { OpenApiOperation } from '../../../engines/openapi/find-operation.ts';
import { toListText, type ParameterStyle } from '../../../platform/lib/parameter-pairs.ts';

/** An operation as providers have it, and the input of one call of it. */
interface PlacedCall {
  request: RequestTemplate;
  query: string[];
  rename: Record<string, string>;
  styles: Record<string, ParameterStyle>;
  headers: Record<string, string>;
  cookies: string[];
  input: JsonObject;
  body: Pick<Operation, 'bodyFormat' | 'mediaType' | 'bodyField'>;
}

const accept = { headers: { Accept: 'application/json, */*;q=0.5' } };

/**
 * Returns the HTTP request of an operation: `method`, `url`, `headers` and `body`. The operation is compiled to that of a
 * provider, which builds the request. A parameter that the operation does not declare is a field of its body; the one with
 * the name `body` is the whole body.
 * @throws RoutineError for a parameter that is missing or not known, or whose value cannot stand in its place
 */
export function toOpenApiRequest(operation: OpenApiOperation, given: JsonObject): JsonObject {
  const call = placeCall(operation, given);
  const { url, init } = build(call, operation.server);
  const headers = Object.entries(init.headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    ...{ method: init.method, url, headers: Object.fromEntries(headers) as JsonObject },
    ...(typeof init.body === 'string' ? { body: init.body } : {}),
  };
}

function build({ input, body, cookies, headers, ...placed }: PlacedCall, server: string) {
  const cookie = cookies.length > 0 ? { Cookie: cookies.join('; ') } : {};
  const rules: PlacingRules = { ...placed, ...body, headers: { ...headers, ...cookie } };
  try {
    return toFetchRequest(accept, server, { ...buildRequest(rules, input), operation: body });
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    const [{ field = '', message = '' } = {}] = error.toInfo().details as {
      field?: string;
      message?: string;
    }[];
    throw createRoutineError('validation', `the parameter "${placed.rename[field] ?? field}" ${message}`);
  }
}

function placeCall(operation: OpenApiOperation, given: JsonObject): PlacedCall {
  const { method, path } = operation;
  const parameters = [...operation.parameters, ...listUndeclared(operation)];
  const call: PlacedCall = {
    request: `${method} ${path}` as RequestTemplate,
    ...{ query: [], rename: {}, styles: {}, headers: {}, cookies: [], input: {}, body: {} },
  };
  const left = new Map(Object.entries(given));
  const form: JsonObject = {};
  for (const parameter of parameters.filter((one) => one.in !== 'body')) {
    const { name, definition } = parameter;
    const value = left.get(name);
    left.delete(name);
    if (value === undefined) {
      if (parameter.required)
        throw createRoutineError('validation', `the operation needs the parameter "${name}"`);
    } else if (parameter.in === 'formData')
      form[name] = definition.collectionFormat === 'multi' ? value : toListText(value);
    else placeParameter(call, parameter, value);
  }
  placeBody(call, operation, { left, form });
  return call;
}

/** The parts of the path that no parameter declares; imported providers take them as arguments, too. */
function listUndeclared({ path, parameters }: OpenApiOperation): OpenApiParameter[] {
  const declared = new Set(parameters.map(({ name, in: place }) => (place === 'path' ? name : null)));
  const names = new Set(Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name));
  return [...names]
    .filter((name) => !declared.has(name))
    .map((name) => ({ name, in: 'path', required: true, definition: {}, pointer: '' }));
}

/** Names an argument of the call, whose name may stand in a template, and gives it its value. */
function addArgument({ rename, input }: PlacedCall, name: string, value: JsonValue): string {
  const argument = `a${Object.keys(rename).length}`;
  rename[argument] = name;
  input[argument] = value;
  return argument;
}

function placeParameter(
  call: PlacedCall,
  { name, in: place, definition }: OpenApiParameter,
  value: JsonValue,
) {
  switch (place) {
    case 'path': {
      const argument = addArgument(call, name, isJsonObject(value) ? JSON.stringify(value) : value);
      call.request = call.request.replaceAll(`{${name}}`, `{${argument}}`) as RequestTemplate;
      return;
    }
    case 'query': {
      const argument = addArgument(call, name, value);
      call.query.push(argument);
      call.styles[argument] = toStyle(definition);
      return;
    }
    case 'header': {
      call.headers[name] = `{${addArgument(call, name, toListText(value))}}`;
      return;
    }
    case 'cookie': {
      call.cookies.push(`${name}=${encodeURIComponent(toListText(value))}`);
      return;
    }
    default:
      throw createRoutineError('configuration', `the parameter "${name}" has no place in the request`);
  }
}

/** A parameter has a `style` and `explode`, or a `collectionFormat` by Swagger 2, which joins lists by default. */
function toStyle({ schema, content, collectionFormat, ...definition }: JsonObject): ParameterStyle {
  if (content !== undefined) return { style: 'json' };
  const style = schema === undefined ? collectionFormat : definition.style;
  const explode = schema === undefined ? style === 'multi' : definition.explode;
  return {
    ...(typeof style === 'string' ? { style } : {}),
    ...(typeof explode === 'boolean' ? { explode } : {}),
  };
}

interface GivenBody {
  /** The parameters that belong to no other place. */
  left: Map<string, JsonValue | undefined>;
  /** The fields of a form, by Swagger 2. */
  form: JsonObject;
}

const formType = 'application/x-www-form-urlencoded';

function placeBody(call: PlacedCall, operation: OpenApiOperation, { left, form }: GivenBody): void {
  const { requestBody, parameters, consumes } = operation;
  const named = parameters.find((parameter) => parameter.in === 'body');
  const isForm = Object.keys(form).length > 0;
  if (isForm || (!requestBody && !named)) {
    const [name] = left.keys();
    if (name !== undefined)
      throw createRoutineError('validation', `the operation has no parameter "${name}", and no body`);
    if (isForm) addBody(call, form, consumes.length > 0 ? consumes : [formType]);
    return;
  }
  const value = findBody(left, named?.name ?? 'body');
  const content = requestBody?.content;
  if (value !== undefined) addBody(call, value, isJsonObject(content) ? Object.keys(content) : consumes);
  else if ((requestBody ?? named)?.required === true)
    throw createRoutineError('validation', 'the operation needs a body');
}

/** The whole body by its name, or the fields of one. */
function findBody(left: GivenBody['left'], name: string): JsonValue | undefined {
  const whole = left.get(name) ?? left.get('body');
  if (whole !== undefined && left.size === 1) return whole;
  return left.size === 0 ? undefined : (Object.fromEntries(left) as JsonObject);
}

function addBody(call: PlacedCall, value: JsonValue, types: string[]): void {
  const json = types.find((type) => /[/+]json\b/i.test(type));
  const [type = ''] = types;
  if (json !== undefined || types.length === 0 || types.includes('*/*')) {
    call.body = { bodyField: addArgument(call, 'body', value), mediaType: json ?? 'application/json' };
  } else if (types.includes(formType) && isJsonObject(value)) {
    for (const [name, field] of Object.entries(value)) addArgument(call, name, field ?? null);
    call.body = { bodyFormat: 'repeated_form' };
  } else if (typeof value === 'string' && !type.startsWith('multipart/')) {
    addArgument(call, 'body', value);
    call.body = { bodyFormat: 'raw', mediaType: type };
  } else throw createRoutineError('configuration', `a body of type "${type}" cannot be made from this value`);
}
