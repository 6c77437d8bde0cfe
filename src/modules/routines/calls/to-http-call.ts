import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import type { RequestCredentials } from '../../../domain/request-credentials.ts';
import { createRoutineError } from '../../../domain/routine-error.ts';
import type { RoutineCallInput } from '../routine-contract.ts';
import { sealSecrets } from './seal-secrets.ts';
import { toCredentials } from './to-credentials.ts';

/** The arguments of `http_request`, and the credentials that its tool has. */
export interface HttpCall {
  arguments: JsonObject;
  credentials: RequestCredentials;
}

/** Turns a call of the standard's function `http` into a request. @throws RoutineError */
export function toHttpCall({
  arguments: raw,
  secrets: places = [],
}: Pick<RoutineCallInput, 'arguments' | 'secrets'>): HttpCall {
  const { given, secrets } = sealSecrets(raw, places);
  const { endpoint } = given;
  const authentication = isJsonObject(endpoint) ? endpoint.authentication : undefined;
  return { arguments: toRequest(given), credentials: toCredentials(authentication, secrets) };
}

function toRequest(given: JsonObject): JsonObject {
  const { method, endpoint, headers, body, query } = given;
  const uri = isJsonObject(endpoint) ? endpoint.uri : endpoint;
  if (typeof method !== 'string' || typeof uri !== 'string')
    throw createRoutineError('configuration', 'an HTTP call needs "method" and "endpoint"');
  const url = URL.parse(uri);
  if (!url) throw createRoutineError('configuration', `"${uri}" is not an absolute URL`);
  for (const [name, value] of Object.entries(toFields('query', query)))
    url.searchParams.set(name, toText(value ?? null));
  return {
    method: method.toUpperCase(),
    url: url.href,
    ...toContent(toFields('headers', headers), body),
  };
}

/** Returns a part of a call that is an object; nothing stands for an empty one. @throws RoutineError of type `validation` */
export function toFields(name: string, value: JsonValue | undefined): JsonObject {
  if (value === undefined || value === null) return {};
  if (isJsonObject(value)) return value;
  throw createRoutineError('validation', `"${name}" of the call is not an object`);
}

function toContent(headers: JsonObject, body: JsonValue | undefined): JsonObject {
  const texts = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, toText(value ?? null)]),
  );
  if (body === undefined) return Object.keys(texts).length > 0 ? { headers: texts } : {};
  const isTyped = Object.keys(texts).some((name) => name.toLowerCase() === 'content-type');
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  return {
    headers: { ...(isTyped ? {} : { 'content-type': type }), ...texts },
    body: toText(body),
  };
}

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
