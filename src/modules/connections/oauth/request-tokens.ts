import type { Connection } from '../../../domain/connection.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { ConnectionParts } from '../connection-parts.ts';
import { findClientTarget } from './find-client-target.ts';
import { requestClientToken, requestRefresh } from './token-requests.ts';
import type { StoredSecrets, Tokens } from '../secrets/stored-secrets.ts';

/** New tokens, or why the authorization server gives none. */
export type TokenAnswer = { tokens: Tokens } | { refusal: string };

/**
 * Requests new tokens of a connection: for the client itself, or with the refresh token of a person's consent.
 * @throws HoldfastError `AUTHORIZATION_FAILED` when the server could not be found or reached
 */
export async function requestTokens(
  { fetches: { oauth: fetch }, findProvider }: Pick<ConnectionParts, 'fetches' | 'findProvider'>,
  connection: Connection,
  { auth, grant, tokens }: StoredSecrets,
): Promise<TokenAnswer> {
  if (auth.type === 'oauth2_client_credentials') {
    // Outside of `orRefusal`: metadata that cannot be read now do not mean that the credentials are refused.
    const target = await findClientTarget(fetch, { connection, auth, findProvider });
    return orRefusal(requestClientToken(fetch, auth, target));
  }
  if (!grant || tokens?.refreshToken === undefined) {
    return { refusal: 'Its access token has ended, and the authorization server gave no refresh token.' };
  }
  const { scopes, refreshToken } = tokens;
  const answer = await orRefusal(requestRefresh(fetch, grant, refreshToken));
  // Without `scope` in the answer, the scopes are those of the old token (RFC 6749, section 5.1).
  return 'tokens' in answer && scopes !== undefined ? { tokens: { scopes, ...answer.tokens } } : answer;
}

async function orRefusal(work: Promise<Tokens>): Promise<TokenAnswer> {
  try {
    return { tokens: await work };
  } catch (error) {
    const isRefusal =
      error instanceof HoldfastError && error.code === 'AUTHORIZATION_FAILED' && !error.retryable;
    if (isRefusal) return { refusal: error.message };
    throw error;
  }
}
