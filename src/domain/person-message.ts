import type { ErrorCode, ErrorInfo } from './errors.ts';
import { isJsonObject } from './json.ts';

const noConnection = 'the connection to the model cannot be used.';
const broken = 'something inside Holdfast broke, or the turn was ended by force.';

/** The sentences for the person who talks to an agent. Messages of errors hold addresses, names and vendors' words. */
const sentences: Partial<Record<ErrorCode, string>> = {
  UNKNOWN_MODEL: 'the model of this agent is not available.',
  MODEL_AUTHENTICATION: 'the model does not accept the credentials of this agent.',
  MODEL_REJECTED_REQUEST: 'the model refused the request.',
  MODEL_RATE_LIMITED: 'the model takes no more requests for now. Try again later.',
  MODEL_UNAVAILABLE: 'the model cannot be reached, or did not answer in time. Try again later.',
  MODEL_BAD_RESPONSE: 'the answer of the model could not be read.',
  CONNECTION_ACCESS_DENIED: noConnection,
  CONNECTION_NOT_ACTIVE: noConnection,
  CONNECTION_PROVIDER_MISMATCH: noConnection,
  AUTHORIZATION_FAILED: noConnection,
  SECRETS_UNAVAILABLE: noConnection,
  EGRESS_REFUSED: 'the model of this agent may not be reached.',
  ANSWER_INVALID: 'the answer of the model does not have the form that was asked for.',
  TURN_NOT_STARTED: 'no worker was free to begin it. Try again later.',
  BUDGET_EXCEEDED: 'a budget does not allow its next step.',
  PRICE_UNKNOWN: 'the model of this agent has no price, so its budget cannot be kept.',
  TOOL_TIMED_OUT: 'a tool did not end within its time limit.',
};

/** Codes whose messages are written by Holdfast alone, for the reader of the answer. */
const ownMessages = new Set<ErrorCode>(['TOOL_BLOCKED', 'ANSWER_BLOCKED']);

/** Returns the whole text that a workspace has set for the end of a turn, such as that of a budget; undefined without one. */
export function findOwnText(error: ErrorInfo | undefined): string | undefined {
  const details = error?.code === 'BUDGET_EXCEEDED' ? error.details : undefined;
  const text = isJsonObject(details) ? details['personMessage'] : undefined;
  return typeof text === 'string' ? text : undefined;
}

/**
 * Says why a turn failed to the person who talks to the agent: without addresses and internals, which operators find in
 * `turn.error` and in the log.
 */
export function toPersonMessage(error: ErrorInfo | undefined): string {
  if (error && ownMessages.has(error.code)) return error.message;
  return (error && sentences[error.code]) ?? broken;
}
