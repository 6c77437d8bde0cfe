import { isJsonObject, type JsonValue } from '../../../domain/json.ts';
import { createRoutineError } from '../../../domain/routine-error.ts';
import { findOperation } from '../../../engines/openapi/find-operation.ts';
import type { ReadOpenApi } from '../../../engines/tools/openapi/read-document.ts';
import { orRoutineError } from '../../../engines/tools/openapi/routine-failure.ts';
import type { RoutineCallInput } from '../routine-contract.ts';
import { sealSecrets } from './seal-secrets.ts';
import { toCredentials } from './to-credentials.ts';
import { toFields, type HttpCall } from './to-http-call.ts';
import { toOpenApiRequest } from './to-openapi-request.ts';

/** How long the document of a call may take, in milliseconds. */
const readMs = 20_000;

type OpenApiInput = Pick<RoutineCallInput, 'workspaceId' | 'arguments' | 'secrets'>;

/** Turns a call of the standard's function `openapi` into the request of its operation. @throws RoutineError */
export async function toOpenApiCall(
  { workspaceId, arguments: raw, secrets: places = [] }: OpenApiInput,
  { readOpenApi, signal }: { readOpenApi: ReadOpenApi; signal: AbortSignal },
): Promise<HttpCall> {
  const { given, secrets } = sealSecrets(raw, places);
  const { document: source, operationId, parameters, authentication } = given;
  const { url, authentication: access } = readEndpoint(source);
  if (typeof operationId !== 'string')
    throw createRoutineError('configuration', 'the call needs an "operationId"');
  const timeout = AbortSignal.timeout(readMs);
  const reading = { workspaceId, url, signal: AbortSignal.any([signal, timeout]) };
  const document = await readOpenApi({
    ...reading,
    credentials: toCredentials(access, onlyOf(secrets, access)),
  }).catch((error: unknown) => {
    if (!timeout.aborted) throw error;
    throw createRoutineError('timeout', `the OpenAPI document did not come within ${readMs} ms`);
  });
  const operation = orRoutineError(() => findOperation(document, operationId, url));
  return {
    arguments: toOpenApiRequest(operation, toFields('parameters', parameters)),
    credentials: toCredentials(authentication, onlyOf(secrets, [authentication ?? null, parameters ?? null])),
  };
}

/** The address of the document, without which no call is made. @throws RoutineError */
export function readEndpoint(source: JsonValue | undefined): {
  url: string;
  authentication?: JsonValue | undefined;
} {
  const endpoint = isJsonObject(source) ? source.endpoint : undefined;
  const uri = isJsonObject(endpoint) ? endpoint.uri : endpoint;
  const url = typeof uri === 'string' ? URL.parse(uri) : null;
  if (!url)
    throw createRoutineError('configuration', 'the OpenAPI document needs an absolute URL as its "endpoint"');
  return { url: url.href, authentication: isJsonObject(endpoint) ? endpoint.authentication : undefined };
}

/** The secrets whose marks are in a value: each request has its own alone. */
function onlyOf<Fields>(
  secrets: Record<string, Fields>,
  value: JsonValue | undefined,
): Record<string, Fields> {
  const text = JSON.stringify(value ?? null);
  return Object.fromEntries(Object.entries(secrets).filter(([mark]) => text.includes(mark)));
}
