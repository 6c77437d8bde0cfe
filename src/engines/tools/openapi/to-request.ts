import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { createRoutineError } from '../../../domain/routine-error.ts';
import { toListText } from '../../../platform/lib/parameter-pairs.ts';
import type { OpenApiParameter } from '../../openapi/merge-parameters.ts';
import type { OpenApiOperation } from './find-operation.ts';
import { toBody } from './to-body.ts';
import { toPairs } from './to-pairs.ts';

/**
 * Returns the HTTP request of an operation: `method`, `url`, `headers` and `body`. A parameter that the operation does not
 * declare is a field of its body; the one with the name `body` is the whole body.
 * @throws RoutineError for a parameter that is missing or not known
 */
export function toOpenApiRequest(operation: OpenApiOperation, given: JsonObject): JsonObject {
  const { method, path, server, parameters } = operation;
  const left = new Map(Object.entries(given));
  const request: RequestParts = { path, query: [], headers: {}, cookies: [] };
  const form: JsonObject = {};
  for (const parameter of parameters.filter((one) => one.in !== 'body')) {
    const { name } = parameter;
    const value = left.get(name);
    left.delete(name);
    if (value === undefined) {
      if (parameter.required)
        throw createRoutineError('validation', `the operation needs the parameter "${name}"`);
    } else if (parameter.in === 'formData') form[name] = value;
    else place(request, parameter, value);
  }
  const content = toBody(operation, { left, form });
  const query = request.query.map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  const cookie = request.cookies.length > 0 ? { cookie: request.cookies.join('; ') } : {};
  const headers = {
    accept: 'application/json, */*;q=0.5',
    ...request.headers,
    ...cookie,
    ...content.headers,
  };
  return {
    ...{ method, url: `${server}${request.path}${query.length > 0 ? `?${query.join('&')}` : ''}`, headers },
    ...(content.body === undefined ? {} : { body: content.body }),
  };
}

interface RequestParts {
  path: string;
  query: [name: string, value: string][];
  headers: Record<string, string>;
  cookies: string[];
}

/** Puts a value where its parameter belongs. */
function place(request: RequestParts, parameter: OpenApiParameter, value: JsonValue): void {
  const { name } = parameter;
  switch (parameter.in) {
    case 'path': {
      request.path = request.path.replaceAll(`{${name}}`, () => toPathPart(value));
      return;
    }
    case 'query': {
      request.query.push(...toPairs(parameter, value));
      return;
    }
    case 'header': {
      request.headers[name.toLowerCase()] = toListText(value);
      return;
    }
    case 'cookie': {
      request.cookies.push(`${name}=${encodeURIComponent(toListText(value))}`);
      return;
    }
    default:
      throw createRoutineError('configuration', `the parameter "${name}" has no place in the request`);
  }
}

/** A part of a path cannot lead to another path. */
function toPathPart(value: JsonValue): string {
  const text = encodeURIComponent(isJsonObject(value) ? JSON.stringify(value) : toListText(value));
  return text === '.' || text === '..' ? text.replaceAll('.', '%2E') : text;
}
