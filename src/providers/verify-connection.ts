import type { OpenConnection } from '../domain/connection.ts';
import { HoldfastError } from '../domain/errors.ts';
import { parseTemplate, toFetchRequest } from './build-request.ts';
import type { Provider } from './define-provider.ts';
import { sendRequest, type TimeBudget } from './send-request.ts';
import { toVendorFailure } from './vendor-result.ts';

/** Whether a connection works, and a sentence about it. */
export interface Verdict {
  ok: boolean;
  message: string;
}

/**
 * Tests a connection with the request that its provider declares for that.
 * @throws the signal's reason when aborted
 */
export async function verifyConnection(
  provider: Provider,
  connection: OpenConnection,
  time: TimeBudget,
): Promise<Verdict> {
  const { request: template, query = {}, describe } = provider.verify;
  const parts = { ...parseTemplate(template), query };
  const request = toFetchRequest(provider, connection.baseUrl ?? provider.baseUrl, parts);
  try {
    const outcome = await sendRequest({ provider, connection, request, time });
    const failure =
      outcome.status === 'failed' ? outcome : toVendorFailure(provider, outcome.answer, connection.redact);
    if (failure) return { ok: false, message: failure.error.message };
    const who = outcome.status === 'answered' ? describe?.(outcome.answer.body) : undefined;
    const message = who === undefined ? `${provider.title} answered.` : `Connected as ${who}.`;
    return { ok: true, message: connection.redact(message) };
  } catch (error) {
    time.signal?.throwIfAborted();
    if (!(error instanceof HoldfastError)) throw error;
    return { ok: false, message: error.message };
  }
}
