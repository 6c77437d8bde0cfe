import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSecretOf, parseApiKeyText } from '../../workspaces/api-key-text.ts';
import type { Database } from '../../db/connect-database.ts';
import { createApiKeyRepository, type StoredApiKey } from '../../db/workspaces/api-key-repository.ts';
import type { Principal, Scope } from '../../domain/api-key.ts';
import { HoldfastError } from '../../domain/errors.ts';

const lastUsedAccuracyMs = 60_000;

/**
 * Finds out who makes a request, before its body is read.
 * @throws HoldfastError `UNAUTHORIZED` without a good key, `FORBIDDEN` when it may not do this
 */
export function createAuthenticator(database: Database) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { scope } = request.routeOptions.config;
    if (!scope) return;
    request.principal = await authenticate(database, request.headers.authorization).catch(
      (error: unknown) => {
        if (error instanceof HoldfastError) reply.header('www-authenticate', 'Bearer');
        throw error;
      },
    );
    checkScope(request.principal, scope);
  };
}

async function authenticate(database: Database, authorization: string | undefined): Promise<Principal> {
  const [, text] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  if (text === undefined) throw unauthorized('Send "Authorization: Bearer <API key>".');
  const given = parseApiKeyText(text);
  const keys = createApiKeyRepository(database.system);
  const stored = given && (await keys.findApiKey(given.id));
  if (!stored || !isSecretOf(given.secret, stored.secretHash)) {
    throw unauthorized('The API key is not known. Keys look like holdfast_<id>_<secret>.');
  }
  checkUsable(stored);
  if (isStale(stored.lastUsedAt)) await keys.touchApiKey(stored.id);
  return { workspaceId: stored.workspaceId, apiKeyId: stored.id, scopes: stored.scopes };
}

function checkUsable({ revokedAt, expiresAt }: StoredApiKey): void {
  if (revokedAt !== null) throw unauthorized(`The API key was revoked at ${revokedAt}.`);
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
    throw unauthorized(`The API key expired at ${expiresAt}.`);
  }
}

function isStale(lastUsedAt: string | null): boolean {
  return lastUsedAt === null || Date.now() - Date.parse(lastUsedAt) >= lastUsedAccuracyMs;
}

function checkScope({ scopes }: Principal, scope: Scope): void {
  if (scopes.includes(scope)) return;
  throw new HoldfastError('FORBIDDEN', `The API key lacks the scope ${scope}.`, {
    details: { missingScopes: [scope] },
  });
}

function unauthorized(message: string): HoldfastError {
  return new HoldfastError('UNAUTHORIZED', message);
}
