import {
  authorizationCodeGrantRequest,
  genericTokenEndpointRequest,
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
import { HoldfastError } from '../../../domain/errors.ts';
import type { GuardedFetch } from '../../../platform/egress/guarded-fetch.ts';
import type { Grant, Tokens } from '../secrets/stored-secrets.ts';
import { readScopes } from './challenge.ts';
import {
  chooseSecretMethod,
  toKeyAuth,
  withClientAuth,
  type ClientAuthentication,
} from './client-authentication.ts';
import type { ClientCredentials, ClientTarget } from './find-client-target.ts';
import { toOAuthFailure } from './oauth-failures.ts';
import { toRequestOptions } from './oauth-request.ts';

/** A token is refreshed this many milliseconds before it expires, or after half of a shorter lifetime. */
const refreshEarlyMs = 60_000;

/** A hundred years: a token with a longer lifetime is stored as one that does not expire. */
const longestLifeSeconds = 100 * 365 * 86_400;

/** Token types of vendors that name bearer tokens in another way. */
const recognizedTokenTypes = { bot: () => undefined, user: () => undefined, token: () => undefined };

/**
 * Requests a token for the client itself (RFC 6749, section 4.4).
 * @throws HoldfastError `AUTHORIZATION_FAILED`; not retryable when the server refused
 */
export async function requestClientToken(
  fetch: GuardedFetch,
  auth: ClientCredentials,
  target: ClientTarget,
): Promise<Tokens> {
  const server = toServer(target);
  const client = { client_id: auth.clientId };
  const parameters = new URLSearchParams();
  if (target.scopes.length > 0) parameters.set('scope', target.scopes.join(' '));
  if (auth.audience !== undefined) parameters.set('audience', auth.audience);
  if (target.resource !== null) parameters.set('resource', target.resource);
  return withOAuthErrors({ url: target.tokenUrl, secrets: [auth.clientSecret] }, async () => {
    const options = toRequestOptions(fetch);
    const { type, parameters: more } = target.grant ?? { type: 'client_credentials', parameters: {} };
    for (const [name, value] of Object.entries(more)) parameters.set(name, value);
    return withOwnAuth(auth, target, async (clientAuth) => {
      const form = new URLSearchParams(parameters);
      const response = await genericTokenEndpointRequest(server, client, clientAuth, type, form, options);
      return toTokens(
        await processClientCredentialsResponse(server, client, response, { recognizedTokenTypes }),
      );
    });
  });
}

/** Runs the request of a client for its own token: it authenticates with its private key, or with its secret. */
async function withOwnAuth(
  auth: ClientCredentials,
  { issuer, tokenUrl, clientAuthentications }: ClientTarget,
  run: (clientAuth: ClientAuth) => Promise<Tokens>,
): Promise<Tokens> {
  const { clientSecret, privateKey, keyId } = auth;
  if (privateKey !== undefined) {
    // Without a known issuer, the assertion is for the token endpoint (RFC 7523, section 3).
    return run(toKeyAuth({ privateKey, keyId, ...(issuer === null ? { audience: tokenUrl } : {}) }));
  }
  const clientAuthentication = chooseSecretMethod(clientAuthentications);
  return (await withClientAuth({ clientSecret, clientAuthentication }, run)).result;
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
  const { issuer, tokenUrl, refreshUrl: url = tokenUrl } = grant;
  const server = toServer({ issuer, tokenUrl: url });
  const client = { client_id: grant.clientId };
  return withOAuthErrors({ url, secrets: [grant.clientSecret, refreshToken] }, async () => {
    const options = { ...toRequestOptions(fetch), additionalParameters: toResource(grant) };
    const { result } = await withClientAuth(grant, async (clientAuth) => {
      const response = await refreshTokenGrantRequest(server, client, clientAuth, refreshToken, options);
      return processRefreshTokenResponse(server, client, response, { recognizedTokenTypes });
    });
    return { refreshToken, ...toTokens(result) };
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

/** Tokens for a code, and how the server wants its client to authenticate at refreshes. */
interface ExchangedCode {
  tokens: Tokens;
  clientAuthentication: ClientAuthentication;
}

/**
 * Exchanges an authorization code for tokens (RFC 6749, section 4.1.3), with PKCE and a check of `iss` (RFC 9207).
 * @throws HoldfastError `AUTHORIZATION_FAILED`
 */
export async function requestTokensForCode(
  fetch: GuardedFetch,
  exchange: CodeExchange,
): Promise<ExchangedCode> {
  const { grant, answer, redirectUri, verifier } = exchange;
  const server = { ...toServer(grant), authorization_response_iss_parameter_supported: exchange.namesIssuer };
  const client = { client_id: grant.clientId };
  const secrets = [grant.clientSecret, verifier, answer.get('code') ?? undefined];
  return withOAuthErrors({ url: grant.tokenUrl, secrets }, async () => {
    const code = validateAuthResponse(server, client, withKnownIssuer(answer, grant), skipStateCheck);
    const options = { ...toRequestOptions(fetch), additionalParameters: toResource(grant) };
    const { result, clientAuthentication } = await withClientAuth(grant, async (clientAuth) => {
      const response = await authorizationCodeGrantRequest(
        ...([server, client, clientAuth, code, redirectUri, verifier, options] as const),
      );
      return processAuthorizationCodeResponse(server, client, response, { recognizedTokenTypes });
    });
    return { tokens: toTokens(result), clientAuthentication };
  });
}

/** Removes `iss` when the endpoints were given by the owner: no issuer is known to compare it with. */
function withKnownIssuer(answer: URLSearchParams, { issuer }: Grant): URLSearchParams {
  const known = new URLSearchParams(answer);
  if (issuer === null) known.delete('iss');
  return known;
}

async function withOAuthErrors<Result>(
  about: Parameters<typeof toOAuthFailure>[1],
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw toOAuthFailure(error, about);
  }
}

function toServer({ issuer, tokenUrl }: Pick<Grant, 'issuer' | 'tokenUrl'>): AuthorizationServer {
  return { issuer: issuer ?? new URL(tokenUrl).origin, token_endpoint: tokenUrl };
}

function toResource({ resource }: Grant): Record<string, string> {
  return resource === undefined ? {} : { resource };
}

function toTokens(answer: TokenEndpointResponse, now = Date.now()): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, scope } = answer;
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
    ...(scope === undefined ? {} : { scopes: readScopes(scope.split(/[ ,]/)) }),
    ...(lifeMs === undefined
      ? {}
      : { expiresAt: now + lifeMs, refreshAfter: now + lifeMs - Math.min(refreshEarlyMs, lifeMs / 2) }),
  };
}
