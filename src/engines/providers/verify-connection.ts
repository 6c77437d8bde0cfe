import type { OpenConnection } from '../../domain/connection.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { JsonValue } from '../../domain/json.ts';
import { findBaseUrl } from './base-url.ts';
import { parseTemplate, toFetchRequest } from './build-request.ts';
import type { AnswerPath } from './define-operation.ts';
import type { Provider } from './define-provider.ts';
import { readPath } from './read-answer.ts';
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
  const { request: template, account, accept = [], ...parts } = provider.verify;
  const base = findBaseUrl(connection, provider);
  const request = toFetchRequest(provider, base, { ...parseTemplate(template), ...parts });
  const isGraphql = template.endsWith('/graphql');
  try {
    const outcome = await sendRequest({ provider, connection, request, time });
    const { redact } = connection;
    const isAccepted = outcome.status === 'answered' && accept.includes(outcome.answer.status);
    if (isAccepted) return { ok: true, message: `${provider.title} accepted the credentials.` };
    const failure =
      outcome.status === 'failed'
        ? outcome
        : toVendorFailure(provider, outcome.answer, { redact, isGraphql });
    if (failure) return { ok: false, message: failure.error.message };
    const who = outcome.status === 'answered' ? describeAccount(outcome.answer.body, account) : '';
    const message = who === '' ? `${provider.title} answered.` : `Connected as ${who}.`;
    return { ok: true, message: redact(message) };
  } catch (error) {
    time.signal?.throwIfAborted();
    if (!(error instanceof HoldfastError)) throw error;
    return { ok: false, message: error.message };
  }
}

function describeAccount(answer: JsonValue, paths: readonly AnswerPath[] = []): string {
  const parts = paths.map((path) => readPath(answer, path));
  return parts.filter((part): part is string => typeof part === 'string' && part !== '').join(' in ');
}
