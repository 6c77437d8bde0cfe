import {
  authorizationCodeGrantRequest,
  clientCredentialsGrantRequest,
  ClientSecretBasic,
  ClientSecretPost,
  None,
  processAuthorizationCodeResponse,
  processClientCredentialsResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  skipStateCheck,
  validateAuthResponse,
  type AuthorizationServer,
  type ClientAuth,
  type TokenEndpointResponse,
} from 'oauth4webapi';
import type { ConnectionAuth } from '../../domain/connection.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { GuardedFetch } from '../../egress/guarded-fetch.ts';
import type { Grant, Tokens } from '../stored-secrets.ts';
import { toOAuthFailure } from './oauth-failures.ts';
import { toRequestOptions } from './oauth-request.ts';

/** A token is refreshed this many milliseconds before it expires, or after half of a shorter lifetime. */
const refreshEarlyMs = 60_000;

/** A hundred years: a token with a longer lifetime is stored as one that does not expire. */
const longestLifeSeconds = 100 * 365 * 86_400;

/** Token types of vendors that name bearer tokens in another way. */
const recognizedTokenTypes = { bot: () => undefined, user: () => undefined, token: () => undefined };

type ClientCredentials = Extract<ConnectionAuth, { type: 'oauth2_client_credentials' }>;

/**
 * Requests a token for the client itself (RFC 6749, section 4.4).
 * @throws HoldfastError `AUTHORIZATION_FAILED`; not retryable when the server refused
 */
export async function requestClientToken(fetch: GuardedFetch, auth: ClientCredentials): Promise<Tokens> {
  const server = toServer({ issuer: null, tokenUrl: auth.tokenUrl });
  const client = { client_id: auth.clientId };
  const parameters = new URLSearchParams();
  if (auth.scopes.length > 0) parameters.set('scope', auth.scopes.join(' '));
  if (auth.audience !== undefined) parameters.set('audience', auth.audience);
  return withOAuthErrors({ url: auth.tokenUrl, secrets: [auth.clientSecret] }, async () => {
    const clientAuth = ClientSecretBasic(auth.clientSecret);
    const options = toRequestOptions(fetch);
    const response = await clientCredentialsGrantRequest(server, client, clientAuth, parameters, options);
    return toTokens(
      await processClientCredentialsResponse(server, client, response, { recognizedTokenTypes }),
    );
  });
}

/**
 * Refreshes a token (RFC 6749, section 6). The old refresh token stays when the server issues no new one.
 * @throws HoldfastError `AUTHORIZATION_FAILED`; not retryable when the server refused
 */
export async function requestRefresh(
  fetch: GuardedFetch,
  grant: Grant,
  refreshToken: string,
): Promise<Tokens> {
  const server = toServer(grant);
  const client = { client_id: grant.clientId };
  return withOAuthErrors({ url: grant.tokenUrl, secrets: [grant.clientSecret, refreshToken] }, async () => {
    const options = { ...toRequestOptions(fetch), additionalParameters: toResource(grant) };
    const response = await refreshTokenGrantRequest(
      server,
      client,
      toClientAuth(grant),
      refreshToken,
      options,
    );
    const answer = await processRefreshTokenResponse(server, client, response, { recognizedTokenTypes });
    return { refreshToken, ...toTokens(answer) };
  });
}

interface CodeExchange {
  grant: Grant;
  /** The parameters of the redirect to the callback. */
  answer: URLSearchParams;
  /** Whether the metadata promises `iss` in redirects (RFC 9207). */
  namesIssuer: boolean;
  redirectUri: string;
  verifier: string;
}

/**
 * Exchanges an authorization code for tokens (RFC 6749, section 4.1.3), with PKCE and a check of `iss` (RFC 9207).
 * @throws HoldfastError `AUTHORIZATION_FAILED`
 */
export async function requestTokensForCode(fetch: GuardedFetch, exchange: CodeExchange): Promise<Tokens> {
  const { grant, answer, redirectUri, verifier } = exchange;
  const server = { ...toServer(grant), authorization_response_iss_parameter_supported: exchange.namesIssuer };
  const client = { client_id: grant.clientId };
  const secrets = [grant.clientSecret, verifier, answer.get('code') ?? undefined];
  return withOAuthErrors({ url: grant.tokenUrl, secrets }, async () => {
    const code = validateAuthResponse(server, client, withKnownIssuer(answer, grant), skipStateCheck);
    const response = await authorizationCodeGrantRequest(
      server,
      client,
      toClientAuth(grant),
      code,
      redirectUri,
      verifier,
      { ...toRequestOptions(fetch), additionalParameters: toResource(grant) },
    );
    return toTokens(
      await processAuthorizationCodeResponse(server, client, response, { recognizedTokenTypes }),
    );
  });
}

/** Removes `iss` when the endpoints were given by the owner: no issuer is known to compare it with. */
function withKnownIssuer(answer: URLSearchParams, { issuer }: Grant): URLSearchParams {
  const known = new URLSearchParams(answer);
  if (issuer === null) known.delete('iss');
  return known;
}

async function withOAuthErrors(
  about: Parameters<typeof toOAuthFailure>[1],
  run: () => Promise<Tokens>,
): Promise<Tokens> {
  try {
    return await run();
  } catch (error) {
    throw toOAuthFailure(error, about);
  }
}

function toServer({ issuer, tokenUrl }: Pick<Grant, 'issuer' | 'tokenUrl'>): AuthorizationServer {
  return { issuer: issuer ?? new URL(tokenUrl).origin, token_endpoint: tokenUrl };
}

function toClientAuth({ clientSecret, clientAuthentication }: Grant): ClientAuth {
  if (clientSecret === undefined || clientAuthentication === 'none') return None();
  return clientAuthentication === 'post' ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
}

function toResource({ resource }: Grant): Record<string, string> {
  return resource === undefined ? {} : { resource };
}

function toTokens(answer: TokenEndpointResponse, now = Date.now()): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = answer;
  // The token goes into a header; an error about an invalid header would quote it.
  if (!/^[\x21-\x7e]+$/.test(accessToken)) {
    throw new HoldfastError(
      'AUTHORIZATION_FAILED',
      'The authorization server issued an access token with invalid characters.',
      {
        retryable: true,
      },
    );
  }
  // A longer lifetime counts as none: its date may be later than Postgres and `Date` can store.
  const lifeMs = seconds === undefined || seconds > longestLifeSeconds ? undefined : seconds * 1000;
  return {
    accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(lifeMs === undefined
      ? {}
      : { expiresAt: now + lifeMs, refreshAfter: now + lifeMs - Math.min(refreshEarlyMs, lifeMs / 2) }),
  };
}
