import { rateLimitSchema, type OpenConnection, type RateLimit } from '../domain/connection.ts';
import { HoldfastError, type ErrorCode } from '../domain/errors.ts';
import type { JsonObject, JsonValue } from '../domain/json.ts';
import { toRateLimitedResult, type RateLimiter } from '../domain/rate-limiter.ts';
import type { FailedResult, ToolResult } from '../domain/tool.ts';
import { ToolInterruptedError } from '../domain/tool-interrupted.ts';
import { buildRequest, toFetchRequest, type BuiltRequest } from './build-request.ts';
import type { Provider, WebSearchResult } from './define-provider.ts';
import { checkInput } from './operation-tools.ts';
import type { NamedOperation, ProviderRegistry } from './registry.ts';
import { maxWaitOf, sendRequest, startTime, type Answered, type TimeBudget } from './send-request.ts';
import { toSuccess, toVendorFailure } from './vendor-result.ts';
import { verifyConnection, type Verdict } from './verify-connection.ts';

const defaultTimeoutMs = 30_000;

/** The limits of a run; the fields are those of a `ToolRun`. */
export interface ProviderRun {
  /** Limit of the whole run, waiting for a rate limit included. @default 30 000 */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Sent to vendors that accept an idempotency key. */
  idempotencyKey?: string;
}

/** The parameters of `executeMCPTool`, in the order of the contract with front ends. */
type ProviderCall = [
  provider: string,
  toolName: string,
  toolArguments: JsonObject,
  connection: OpenConnection,
  run?: ProviderRun,
];

/** The results of a web search, or its failure. */
export type WebSearchAnswer = { status: 'succeeded'; results: WebSearchResult[] } | FailedResult;

/** Runs operations of the catalogue over connections. */
export interface ExecutionRouter {
  /**
   * Runs an operation by the name of its tool (`slack_sendMessage`) or its own. An answer of the vendor is a result,
   * also when it is an error.
   * @throws ToolInterruptedError when the outcome is unknown or a retry may help; the signal's reason when aborted
   */
  executeMCPTool: (...call: ProviderCall) => Promise<ToolResult>;
  /** Searches the web with the operation that the connection's provider has for it. @throws as `executeMCPTool` */
  searchWeb: (
    connection: OpenConnection,
    search: { query: string; count?: number },
    run?: ProviderRun,
  ) => Promise<WebSearchAnswer>;
  /** Tests a connection with a request to the vendor. @throws only the signal's reason when aborted */
  verifyConnection: (connection: OpenConnection, run?: ProviderRun) => Promise<Verdict>;
}

interface RouterOptions {
  registry: ProviderRegistry;
  limiter: RateLimiter;
}

interface Call {
  provider: Provider;
  found: NamedOperation;
  toolArguments: JsonObject;
  connection: OpenConnection;
  run: ProviderRun;
}

/** Creates the router of a catalogue. */
export function createExecutionRouter({ registry, limiter }: RouterOptions): ExecutionRouter {
  return {
    executeMCPTool: async (...[name, toolName, toolArguments, connection, run = {}]) => {
      const provider = registry.findProvider(name);
      if (!provider) return failed('TOOL_MISCONFIGURED', `There is no provider "${name}" in the catalogue.`);
      const found = registry.findOperation(name, toolName);
      if (!found) return unknownOperation(provider, toolName);
      const outcome = await runCall(limiter, { provider, found, toolArguments, connection, run });
      if (outcome.status === 'failed') return outcome;
      return toSuccess(found.operation, outcome.answer, connection.redact);
    },
    searchWeb: async (connection, search, run = {}) => {
      const { name, provider: providerName } = connection.connection;
      const provider = registry.findProvider(providerName);
      const found = registry.findOperationFor(providerName, 'web_search');
      if (!provider || !found)
        return failed('TOOL_NOT_CONFIGURED', `The connection ${name} is not one to a web search.`);
      const toolArguments = { ...search };
      const outcome = await runCall(limiter, { provider, found, toolArguments, connection, run });
      if (outcome.status === 'failed') return outcome;
      return { status: 'succeeded', results: found.operation.toResults?.(outcome.answer.body) ?? [] };
    },
    verifyConnection: async (connection, { timeoutMs = defaultTimeoutMs, signal } = {}) => {
      const provider = registry.findProvider(connection.connection.provider);
      if (!provider) return { ok: false, message: 'Its provider is not in the catalogue.' };
      return verifyConnection(provider, connection, startTime(timeoutMs, signal));
    },
  };
}

function failed(code: ErrorCode, message: string, details?: JsonValue): FailedResult {
  return { status: 'failed', error: { code, message, ...(details === undefined ? {} : { details }) } };
}

function unknownOperation({ title, operations }: Provider, toolName: string): FailedResult {
  const known = Object.keys(operations).join(', ');
  return failed('UNKNOWN_TOOL', `${title} has no operation "${toolName}". It has: ${known}.`);
}

/** Checks, limits and sends a call; an error answer of the vendor is a failed result. */
async function runCall(limiter: RateLimiter, call: Call): Promise<Answered | FailedResult> {
  const { provider, found, toolArguments, connection, run } = call;
  run.signal?.throwIfAborted();
  const checked = checkInput(found.operation, toolArguments);
  if (!checked.ok) {
    const message = `The arguments of ${found.name} are not what ${provider.title} takes. Correct them and call it again.`;
    return failed('INVALID_TOOL_ARGUMENTS', message, checked.fields);
  }
  const time = startTime(run.timeoutMs ?? defaultTimeoutMs, run.signal);
  try {
    const request = toRequest(call, checked.input);
    const limited = await waitForBudget(limiter, call, time);
    if (limited) return limited;
    const outcome = await sendRequest({ provider, connection, request, time });
    if (outcome.status === 'failed') return outcome;
    return toVendorFailure(provider, outcome.answer, connection.redact) ?? outcome;
  } catch (error) {
    return toFailure(error);
  }
}

function toRequest({ provider, found, connection, run }: Call, input: JsonObject): BuiltRequest {
  const baseUrl = connection.baseUrl ?? provider.baseUrl;
  const { url, init } = toFetchRequest(provider, baseUrl, buildRequest(found.operation, input));
  const { idempotencyHeader } = found.operation;
  if (idempotencyHeader === undefined || run.idempotencyKey === undefined) return { url, init };
  return { url, init: { ...init, headers: { ...init.headers, [idempotencyHeader]: run.idempotencyKey } } };
}

/** Waits for the rate limit; returns a failed result when that takes too long. */
async function waitForBudget(
  limiter: RateLimiter,
  { provider, found, connection }: Call,
  time: TimeBudget,
): Promise<FailedResult | null> {
  const budget = findBudget(provider, found, connection);
  if (!budget) return null;
  const grant = await limiter.take({ ...budget, maxWaitMs: maxWaitOf(time), signal: time.signal });
  if (grant.granted) return null;
  return toRateLimitedResult(`the connection ${connection.connection.name}`, grant.retryAfterMs);
}

/** Returns the rate limit of a call: that of the connection, else that of the operation, else that of the provider. */
function findBudget(
  { rateLimit: providerLimit }: Provider,
  { name, operation }: NamedOperation,
  { connection: { id, rateLimit } }: OpenConnection,
): { key: string; limit: RateLimit } | null {
  if (rateLimit) return { key: id, limit: rateLimit };
  if (operation.rateLimit) return { key: `${id}:${name}`, limit: rateLimitSchema.parse(operation.rateLimit) };
  return providerLimit ? { key: id, limit: rateLimitSchema.parse(providerLimit) } : null;
}

/**
 * Translates an error from before the request was sent: a failed result, so that the model is told of it.
 * @throws ToolInterruptedError when a retry may help
 */
function toFailure(error: unknown): FailedResult {
  if (!(error instanceof HoldfastError) || error instanceof ToolInterruptedError) throw error;
  if (!error.retryable) return { status: 'failed', error: error.toInfo() };
  const { code, message, retryAfterMs } = error;
  throw new ToolInterruptedError(code, message, {
    sent: false,
    cause: error,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
