import { scopes, type ApiKeyInput, type Principal, type Scope } from '../domain/api-key.ts';
import { createInvalidInput, HoldfastError } from '../domain/errors.ts';

/** Payloads are those of all workspaces, so nobody is given that scope by the way. */
const neverDefault: readonly Scope[] = ['api_keys:write', 'payloads:read'];
const defaultScopes = scopes.filter((scope) => !neverDefault.includes(scope));

/**
 * Checks what the schema of a key can not, and fills in its scopes.
 * @throws HoldfastError `FORBIDDEN` when the key would be allowed more than its maker, `INVALID_INPUT`
 */
export function checkApiKeyInput(
  { name, scopes: wanted, expiresAt }: ApiKeyInput,
  maker: Principal,
): { name: string; scopes: Scope[]; expiresAt?: string } {
  const granted = [...new Set(wanted ?? defaultScopes)];
  const missingScopes = granted.filter((scope) => !maker.scopes.includes(scope));
  if (missingScopes.length > 0) {
    const message = `The API key lacks the scopes ${missingScopes.join(', ')}, so it can not give them to another.`;
    throw new HoldfastError('FORBIDDEN', message, { details: { missingScopes } });
  }
  if (expiresAt === undefined) return { name, scopes: granted };
  if (Date.parse(expiresAt) <= Date.now()) {
    throw createInvalidInput([{ field: 'expiresAt', message: 'expected a time to come' }]);
  }
  return { name, scopes: granted, expiresAt };
}
