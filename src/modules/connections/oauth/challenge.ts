const scopePattern = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;
/** More scopes than any server has; a hostile one could name any number. */
const mostScopes = 100;

/** Reads a parameter of a `WWW-Authenticate` challenge: a token or a quoted string (RFC 9110, section 11.2). */
export function findChallengeParameter(header: string, name: string): string | undefined {
  const [, quoted, plain] =
    new RegExp(`(?:^|[\\s,])${name}="?(?:(?<=")([^"]{0,2000})"|([^\\s,"]{1,2000}))`, 'i').exec(header) ?? [];
  return quoted ?? plain;
}

/** Keeps the valid scopes (RFC 6749, section 3.3) of a list that a server has written. */
export function readScopes(named: unknown): string[] {
  if (!Array.isArray(named)) return [];
  return named
    .filter((scope): scope is string => typeof scope === 'string' && scopePattern.test(scope))
    .slice(0, mostScopes);
}
