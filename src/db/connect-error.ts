/**
 * Gives the error of a failed connect a code. The pool of `pg` says only by its message that no client was free, or
 * that the database did not answer, within the time limit; every other error of a connect has a code already.
 */
export function toConnectError(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error) return error;
  return Object.assign(new Error(error.message, { cause: error }), { code: 'ETIMEDOUT' });
}
