import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  discoveryRequest,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  None,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  validateAuthResponse,
  type AuthorizationServer,
} from 'oauth4webapi';
import type { KeyActor } from '../../../domain/actor.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { IdentityProvider } from '../people/identity-provider.ts';
import type { AuthenticatePerson } from '../people/authenticate-person.ts';

/** How long an answer of a provider may take, in milliseconds. */
const answerMs = 10_000;

/** A sign-in that has begun; the browser keeps it until it comes back. */
export interface PendingLogin {
  issuer: string;
  state: string;
  nonce: string;
  verifier: string;
}

/** A browser that came back from its provider. */
interface ReturnedLogin {
  pending: PendingLogin;
  /** The parameters with which it came back. */
  parameters: URLSearchParams;
  redirectUri: string;
}

/** Lets people sign in with a browser. */
export interface Login {
  /** The providers at which they do. */
  issuers: readonly string[];
  /** Returns the address at the provider to which the browser is sent. @throws HoldfastError `NOT_FOUND`, `SERVICE_UNAVAILABLE` */
  begin: (issuer: string, redirectUri: string) => Promise<{ url: string; pending: PendingLogin }>;
  /** @throws HoldfastError `AUTHORIZATION_FAILED`, `UNAUTHORIZED`, `FORBIDDEN`, `SERVICE_UNAVAILABLE` */
  finish: (returned: ReturnedLogin) => Promise<KeyActor>;
}

type LoginProvider = IdentityProvider & { login: NonNullable<IdentityProvider['login']> };

/**
 * Builds the sign-in at identity providers (OpenID Connect Core 1.0, section 3.1, with PKCE, RFC 7636). The token is verified
 * as those of requests are: by its signature, and an ID token by its nonce and its audience, the client.
 */
export function createLogin(
  providers: readonly IdentityProvider[],
  authenticatePerson: AuthenticatePerson,
): Login {
  const withLogin = providers.filter((provider): provider is LoginProvider => provider.login !== undefined);
  const find = (issuer: string): LoginProvider => {
    const provider = withLogin.find((one) => one.issuer === issuer);
    if (!provider) throw new HoldfastError('NOT_FOUND', 'Nobody signs in at this identity provider.');
    return provider;
  };
  return {
    issuers: withLogin.map(({ issuer }) => issuer),

    begin: async (issuer, redirectUri) => {
      const { login } = find(issuer);
      const { authorization_endpoint: endpoint } = await discover(issuer);
      if (endpoint === undefined) throw unavailable(issuer);
      const [state, nonce, verifier] = [
        generateRandomState(),
        generateRandomNonce(),
        generateRandomCodeVerifier(),
      ];
      const url = new URL(endpoint);
      const parameters = {
        ...login.parameters,
        ...{
          client_id: login.clientId,
          redirect_uri: redirectUri,
          response_type: 'code',
          scope: login.scope,
        },
        ...{ state, nonce, code_challenge_method: 'S256' },
        code_challenge: await calculatePKCECodeChallenge(verifier),
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return { url: url.href, pending: { issuer, state, nonce, verifier } };
    },

    finish: async (returned) => {
      const provider = find(returned.pending.issuer);
      const { login } = provider;
      const tokens = await requestTokens(provider, returned);
      const isIdToken = login.token === 'id_token';
      const token = isIdToken ? tokens.id_token : tokens.access_token;
      return authenticatePerson(token ?? '', isIdToken ? login.clientId : undefined);
    },
  };
}

async function requestTokens(
  { issuer, login }: LoginProvider,
  { pending, parameters, redirectUri }: ReturnedLogin,
) {
  const server = await discover(issuer);
  const client = { client_id: login.clientId };
  try {
    const answer = validateAuthResponse(server, client, parameters, pending.state);
    const response = await authorizationCodeGrantRequest(
      server,
      client,
      toClientAuth(server, login.clientSecret),
      answer,
      redirectUri,
      pending.verifier,
      toOptions(issuer),
    );
    return await processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: pending.nonce,
      requireIdToken: true,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HoldfastError('AUTHORIZATION_FAILED', `The sign-in at ${issuer} failed: ${reason}.`);
  }
}

function toClientAuth(
  { token_endpoint_auth_methods_supported: methods }: AuthorizationServer,
  secret?: string,
) {
  if (secret === undefined) return None();
  return methods?.includes('client_secret_post') ? ClientSecretPost(secret) : ClientSecretBasic(secret);
}

async function discover(issuer: string): Promise<AuthorizationServer> {
  try {
    const response = await discoveryRequest(new URL(issuer), { algorithm: 'oidc', ...toOptions(issuer) });
    return await processDiscoveryResponse(new URL(issuer), response);
  } catch {
    throw unavailable(issuer);
  }
}

/** The operator names the issuer, so one without TLS is one on the same machine or network. */
function toOptions(issuer: string) {
  return {
    signal: () => AbortSignal.timeout(answerMs),
    [allowInsecureRequests]: issuer.startsWith('http:'),
  };
}

function unavailable(issuer: string): HoldfastError {
  return new HoldfastError(
    'SERVICE_UNAVAILABLE',
    `The identity provider ${issuer} cannot be asked. Try again.`,
  );
}
