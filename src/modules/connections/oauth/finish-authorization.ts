import type { AuthorizationRequest } from './authorization-request-repository.ts';
import type { ConnectionValues, StoredConnection } from '../connection-rows.ts';
import type { Connection } from '../../../domain/connection.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { createRedactor } from '../../../domain/redact.ts';
import type { ConnectionDependencies } from '../connection-dependencies.ts';
import type { ConnectionParts } from '../connection-parts.ts';
import { requireBoundId, unknownAuthorization, type ReturnedState } from './consent.ts';
import { toText } from './oauth-failures.ts';
import { requestTokensForCode } from './token-requests.ts';
import { hashState, openPending, toFingerprint } from './pending-authorization.ts';
import { toPublicAuth } from '../secrets/public-auth.ts';
import { openSecrets, sealSecrets, type StoredSecrets } from '../secrets/stored-secrets.ts';

/** The parameters of the redirect from an authorization server (RFC 6749, section 4.1.2; `iss` is RFC 9207). */
interface AuthorizationAnswer extends ReturnedState {
  code?: string | undefined;
  error?: string | undefined;
  errorDescription?: string | undefined;
  iss?: string | undefined;
}

/**
 * Finishes an authorization: exchanges the code for tokens, and stores them with the grant. The `state` identifies
 * the workspace and the connection, and can be used once, by the browser that it was bound to.
 * @throws HoldfastError `AUTHORIZATION_FAILED`
 */
export async function finishAuthorization(
  { connections: parts }: Pick<ConnectionDependencies, 'connections'>,
  answer: AuthorizationAnswer,
): Promise<Connection> {
  const request = await takeRequest(parts, requireBoundId(answer));
  const { workspaceId, connectionId } = request;
  const pending = openPending(parts.keyRing, request);
  const { grant: asked } = pending;
  if (answer.error !== undefined) {
    const { redact } = createRedactor([
      pending.verifier,
      ...(asked.clientSecret ? [asked.clientSecret] : []),
    ]);
    throw failed(
      `The authorization server refused: ${toText(answer.error, answer.errorDescription, redact)}.`,
    );
  }
  const { tokens, clientAuthentication } = await requestTokensForCode(parts.fetches.oauth, {
    ...pending,
    answer: toParameters(answer),
  });
  const grant = { ...asked, clientAuthentication };
  return parts.inWorkspace(workspaceId, async ({ connections, audit }) => {
    const stored = await connections.findConnectionForUpdate(connectionId);
    const before = stored && openSecrets(parts.keyRing, { id: connectionId, ...stored });
    if (!stored || !before || toFingerprint(stored.connection, before) !== pending.fingerprint) {
      throw failed('The connection was changed while it was being authorized. Begin again.');
    }
    const { name, provider } = stored.connection;
    const payload = { name, provider, issuer: grant.issuer, tokenUrl: grant.tokenUrl };
    await audit.record({ type: 'connection.authorized', subjectId: connectionId, payload });
    return connections.updateConnection(connectionId, {
      ...toSealedValues(parts, stored, { auth: before.auth, grant, tokens }),
      status: 'active',
      statusReason: null,
    });
  });
}

async function takeRequest(
  { takeAuthorizationRequest }: ConnectionParts,
  id: string,
): Promise<AuthorizationRequest> {
  const request = await takeAuthorizationRequest(hashState(id));
  if (request && request.expiresAt.getTime() > Date.now()) return request;
  throw unknownAuthorization();
}

function toSealedValues(
  parts: ConnectionParts,
  { connection, workspaceId }: StoredConnection,
  secrets: StoredSecrets,
): ConnectionValues {
  return {
    auth: toPublicAuth(secrets, parts.maskSecret),
    secrets: sealSecrets(parts.keyRing, { id: connection.id, workspaceId }, secrets),
    expiresAt: secrets.tokens?.expiresAt === undefined ? null : new Date(secrets.tokens.expiresAt),
  };
}

function toParameters({ code, iss, state }: AuthorizationAnswer): URLSearchParams {
  return new URLSearchParams(
    Object.entries({ code, iss, state }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function failed(message: string): HoldfastError {
  return new HoldfastError('AUTHORIZATION_FAILED', message);
}
