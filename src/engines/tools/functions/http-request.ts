import { connectionHeaders } from '../../../domain/connection-headers.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { isJsonObject, type JsonObject } from '../../../domain/json.ts';
import type { ToolResult } from '../../../domain/tool.ts';
import { ToolInterruptedError } from '../../../domain/tool-interrupted.ts';
import { readCapped } from '../../../platform/egress/capped-body.ts';
import { wasSent } from '../../../platform/egress/was-sent.ts';
import type { FunctionRun, ToolFunction } from './tool-function.ts';
import { toTextArgument } from '../text-argument.ts';
import { describeResponse } from './describe-response.ts';
import { toAuthorized } from './authorize-request.ts';

const maxBodyBytes = 1024 * 1024;

/** Headers that belong to the connection, or say where a request goes, are not for the caller to set. */
const ownHeaders = new Set<string>([
  ...connectionHeaders,
  ...['idempotency-key', 'proxy-authorization', 'proxy-connection'],
]);

function invalid(message: string): ToolResult {
  return { status: 'failed', error: { code: 'INVALID_TOOL_ARGUMENTS', message } };
}

function methodOf(toolArguments: JsonObject | undefined): string {
  return toTextArgument(toolArguments?.method ?? 'GET').toUpperCase();
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function toHeaders(run: FunctionRun, method: string): Headers {
  const given = isJsonObject(run.arguments.headers) ? run.arguments.headers : {};
  const headers = new Headers(Object.entries(given).map(([name, value]) => [name, toTextArgument(value)]));
  const refused = Object.keys(given).find((name) => ownHeaders.has(name.toLowerCase()));
  if (refused !== undefined) throw new TypeError(`the header "${refused}" cannot be set`);
  if (!headers.has('user-agent')) headers.set('user-agent', 'holdfast');
  if (!isReading(method)) headers.set('idempotency-key', run.idempotencyKey);
  return headers;
}

function toRequest(run: FunctionRun): RequestInit {
  const method = methodOf(run.arguments);
  const { body } = run.arguments;
  if (body !== undefined && isReading(method)) throw new TypeError(`a ${method} request takes no body`);
  return {
    method,
    headers: toHeaders(run, method),
    ...(body === undefined ? {} : { body: toTextArgument(body) }),
  };
}

/** Turns a refusal before the request into a result. Throws `ToolInterruptedError` for a request that broke. */
function toFailure(error: unknown, run: FunctionRun, timeout: AbortSignal): ToolResult {
  run.signal.throwIfAborted();
  if (error instanceof HoldfastError) return { status: 'failed', error: error.toInfo() };
  const sent = wasSent(error);
  const { host } = new URL(toTextArgument(run.arguments.url));
  if (timeout.aborted) {
    const message = `${host} did not answer within ${run.timeoutMs} ms.`;
    throw new ToolInterruptedError('TOOL_TIMED_OUT', message, { sent: true, cause: error });
  }
  const [code, what] = sent
    ? (['TOOL_UNAVAILABLE', 'The connection broke'] as const)
    : (['TOOL_UNREACHABLE', 'No connection could be made'] as const);
  throw new ToolInterruptedError(code, `${what}: ${host}.`, { sent, cause: error });
}

async function run(run: FunctionRun): Promise<ToolResult> {
  let request: RequestInit;
  try {
    request = toRequest(run);
  } catch (error) {
    return invalid(`The request cannot be made: ${(error as Error).message}.`);
  }
  const timeout = AbortSignal.timeout(run.timeoutMs);
  try {
    const signal = AbortSignal.any([run.signal, timeout]);
    return await send(run, { ...request, signal });
  } catch (error) {
    return toFailure(error, run, timeout);
  }
}

async function send(run: FunctionRun, init: RequestInit): Promise<ToolResult> {
  const url = toTextArgument(run.arguments.url);
  const { fetch, redact, ...sent } = await toAuthorized(run, { url, init });
  try {
    const response = await fetch(sent.url, sent.init);
    const body = await readCapped(response, maxBodyBytes);
    const result = describeResponse(response, body);
    return result.status === 'failed'
      ? result
      : { ...result, text: redact(result.text, { isCut: body.truncated }) };
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    const { code, retryable } = error;
    throw new HoldfastError(code, redact(error.message), { retryable });
  }
}

/** Makes an HTTP request to a public address. */
export const httpRequest: ToolFunction = {
  name: 'http_request',
  description: 'Makes an HTTP request to a public address. Redirects are not followed, but shown.',
  schema: {
    type: 'object',
    properties: {
      method: { type: 'string', enum: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], default: 'GET' },
      url: { type: 'string', maxLength: 8192, description: 'Absolute http or https URL.' },
      headers: {
        type: 'object',
        additionalProperties: { type: 'string', maxLength: 8192 },
        maxProperties: 50,
      },
      body: { type: 'string', description: 'Text to send; set the Content-Type header to say what it is.' },
    },
    required: ['url'],
    additionalProperties: false,
  },
  effect: (toolArguments) => (isReading(methodOf(toolArguments)) && toolArguments ? 'read_only' : 'unsafe'),
  run,
};
