/**
 * Codes of Postgres (https://www.postgresql.org/docs/current/errcodes-appendix.html), of Node and of knex for a database
 * that cannot be reached, or that cannot work now.
 */
const outageCodes: ReadonlySet<string> = new Set([
  ...['08000', '08001', '08003', '08004', '08006', '25006', '3D000'],
  ...['53000', '53100', '53200', '53300', '57P01', '57P02', '57P03', '58030'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'ENOSPC'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'KnexTimeoutError'],
]);

/**
 * The messages of `pg` about a lost session; these errors have no code. Only the end of a message is compared, since knex
 * puts the SQL and ` - ` before it.
 */
const lostSession =
  /(?:^| - )(?:Connection terminated(?: unexpectedly| due to connection timeout)?|Query read timeout|Client (?:has encountered a connection error|was closed) and is not queryable|timeout exceeded when trying to connect)$/;

const diskFullCodes: ReadonlySet<string> = new Set(['53100', 'ENOSPC']);

/** Returns true for an error that says that the database cannot be reached, or that it cannot work now. */
export function isDatabaseOutage(error: unknown): boolean {
  const code = findErrorCode(error);
  if (code !== undefined) return outageCodes.has(code);
  return error instanceof Error && lostSession.test(error.message);
}

/** Returns true for an error that says that a disk is full. */
export function isDiskFull(error: unknown): boolean {
  return diskFullCodes.has(findErrorCode(error) ?? '');
}

/** Returns the code of an error; for one that only has its own name, such as `KnexTimeoutError`, the name. */
export function findErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  return typeof name === 'string' && name !== 'Error' ? name : undefined;
}
