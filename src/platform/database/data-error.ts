/** Returns true for the errors of Postgres about values: those of the classes 22 (data exception) and 23 (constraints). */
export function isDataError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^2[23]\w{3}$/.test(String(error.code));
}
