/** An expression: whether a row of `api_keys`, by its name in the statement, is neither revoked nor expired. */
export function isUsable(key: string): string {
  return `(${key}.revoked_at IS NULL AND (${key}.expires_at IS NULL OR ${key}.expires_at > now()))`;
}
