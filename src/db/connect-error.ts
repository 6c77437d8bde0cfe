/** The messages by which `pg` says that no connection was free, or that the database did not answer, in time. */
const timeouts = [
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
];

/** Gives a connect that took too long the code `ETIMEDOUT`; other errors are returned as they are. */
export function toConnectError(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error || !timeouts.includes(error.message)) return error;
  return Object.assign(new Error(error.message, { cause: error }), { code: 'ETIMEDOUT' });
}
