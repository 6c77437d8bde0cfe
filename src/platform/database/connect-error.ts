/** The messages of `pg` when no client was free, or the database did not answer, within the time limit. */
const timeouts = [
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
];

/** Adds the code `ETIMEDOUT` to the error of a connect that took too long, and returns other errors unchanged. */
export function toConnectError(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error || !timeouts.includes(error.message)) return error;
  return Object.assign(new Error(error.message, { cause: error }), { code: 'ETIMEDOUT' });
}
