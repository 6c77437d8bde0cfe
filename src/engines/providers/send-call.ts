import { rateLimitSchema, type OpenConnection, type RateLimit } from '../../domain/connection.ts';
import { toRateLimitedResult, type RateLimiter } from '../../domain/rate-limiter.ts';
import type { FailedResult } from '../../domain/tool.ts';
import type { GuardedFetch } from '../../platform/egress/guarded-fetch.ts';
import { findBaseUrl } from './base-url.ts';
import {
  buildRequest,
  toFetchRequest,
  type BuiltRequest,
  type PlacingRules,
  type RequestInput,
} from './build-request.ts';
import type { Provider } from './define-provider.ts';
import type { NamedOperation } from './provider-entry.ts';
import { maxWaitOf, sendRequest, type Answered, type TimeBudget } from './send-request.ts';
import { toVendorFailure } from './vendor-result.ts';

/** The most bytes of an answer that is stored as a file. */
export const maxFileBytes = 20 * 1024 * 1024;

/** A call of an operation, on its way. */
export interface OperationCall {
  provider: Provider;
  found: NamedOperation;
  connection: OpenConnection;
  limiter: RateLimiter;
  time: TimeBudget;
  idempotencyKey: string | undefined;
  fetchFile: GuardedFetch | undefined;
}

/**
 * Builds the request of a call; `rules` say how its input is placed.
 * @throws HoldfastError `INVALID_TOOL_ARGUMENTS` for a value that must not stand in a path
 */
export function toRequest(
  call: OperationCall,
  input: RequestInput,
  rules: PlacingRules = call.found.operation,
): BuiltRequest {
  const { provider, connection, idempotencyKey } = call;
  const { operation } = call.found;
  const { idempotencyHeader, idempotencyField } = operation;
  const hasField = idempotencyField !== undefined && idempotencyKey !== undefined;
  const given = hasField ? { ...input, [idempotencyField]: idempotencyKey } : input;
  const base = findBaseUrl(connection, provider, operation);
  const { url, init } = toFetchRequest(provider, base, { ...buildRequest(rules, given), operation });
  if (idempotencyHeader === undefined || idempotencyKey === undefined) return { url, init };
  return { url, init: { ...init, headers: { ...init.headers, [idempotencyHeader]: idempotencyKey } } };
}

/** Waits for the rate limit, sends a request of a call, and reads its answer; an error of the vendor is a failed result. */
export async function sendCall(call: OperationCall, request: BuiltRequest): Promise<Answered | FailedResult> {
  const { provider, found, connection, time } = call;
  const limited = await waitForBudget(call);
  if (limited) return limited;
  const { answer, graphql } = found.operation;
  const file =
    answer === 'file'
      ? { maxBytes: maxFileBytes, fetchFile: request.init.method === 'GET' ? call.fetchFile : undefined }
      : {};
  const outcome = await sendRequest({ provider, connection, request, time, ...file });
  if (outcome.status === 'failed') return outcome;
  const { redact } = connection;
  return toVendorFailure(provider, outcome.answer, { redact, isGraphql: graphql !== undefined }) ?? outcome;
}

/** Waits for the rate limit; returns a failed result when that takes too long. */
async function waitForBudget({
  provider,
  found,
  connection,
  limiter,
  time,
}: OperationCall): Promise<FailedResult | null> {
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
