import {
  createRemoteJWKSet,
  decodeJwt,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyOptions,
} from 'jose';
import { HoldfastError } from '../../../domain/errors.ts';
import { discoverySchema, type IdentityProvider } from './identity-provider.ts';

/** How far the clocks of a provider and of Holdfast may differ, in seconds. */
const clockToleranceSeconds = 30;

/** How long an answer of a provider may take, in milliseconds. */
const answerMs = 5_000;

/** A key that is not known is looked up again, but not more often than this, in milliseconds. */
const cooldownMs = 10_000;
const keysMaxAgeMs = 600_000;

/** A token that was verified, and the provider that issued it. */
export interface VerifiedToken {
  provider: IdentityProvider;
  claims: JWTPayload & { sub: string };
}

type GetKey = ReturnType<typeof createRemoteJWKSet>;

/**
 * Builds the check of the tokens (JWT, RFC 7519) of some providers: by the issuer, its keys (JWKS, RFC 7517, which are read
 * again when a token names another one), the audience, the algorithms and the times.
 * @throws HoldfastError `UNAUTHORIZED` for every token that is not valid; `SERVICE_UNAVAILABLE` without the keys
 */
export function createJwtVerifier(
  providers: readonly IdentityProvider[],
): (token: string, audience?: string) => Promise<VerifiedToken> {
  const keys = new Map<string, Promise<GetKey>>();
  const findKeys = (provider: IdentityProvider) => {
    const found = keys.get(provider.issuer) ?? openKeys(provider);
    keys.set(provider.issuer, found);
    // A failed discovery is not kept: the next token tries it again.
    found.catch(() => keys.delete(provider.issuer));
    return found;
  };
  return async (token, audience) => {
    const named = readIssuer(token);
    const provider = providers.find(({ issuer }) => issuer === named);
    if (!provider) throw unauthorized('its issuer is not known');
    const { issuer, algorithms } = provider;
    const rules = { issuer, algorithms, clockTolerance: clockToleranceSeconds };
    const getKey = await findKeys(provider);
    const payload = await verifyWithKeys(token, getKey, {
      ...rules,
      audience: audience ?? provider.audience,
      requiredClaims: ['sub', 'exp', 'iat'],
    }).catch((error: unknown) => {
      throw toRefusal(error);
    });
    if ((payload.iat ?? 0) > Date.now() / 1000 + clockToleranceSeconds)
      throw unauthorized('it was issued in the future');
    if (typeof payload.sub !== 'string' || payload.sub === '') throw unauthorized('it has no "sub"');
    return { provider, claims: { ...payload, sub: payload.sub } };
  };
}

/** Tries each key that a token may mean: providers publish several under one name, and tokens may name none. */
async function verifyWithKeys(token: string, getKey: GetKey, rules: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, getKey, rules)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      const verified = await jwtVerify(token, key, rules).catch(rethrowUnlessOtherKey);
      if (verified) return verified.payload;
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function rethrowUnlessOtherKey(error: unknown): null {
  if (error instanceof errors.JWSSignatureVerificationFailed) return null;
  throw error;
}

/** The issuer as the token says it, before anything is verified. */
function readIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    throw unauthorized('it cannot be read');
  }
}

async function openKeys({ issuer, jwksUrl }: IdentityProvider): Promise<GetKey> {
  const url = jwksUrl ?? (await discoverKeys(issuer));
  return createRemoteJWKSet(new URL(url), {
    ...{ timeoutDuration: answerMs, cooldownDuration: cooldownMs, cacheMaxAge: keysMaxAgeMs },
  });
}

/** Reads where the keys are (OpenID Connect Discovery 1.0, section 4), from the provider that says to be the issuer. */
async function discoverKeys(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(answerMs), redirect: 'error' });
    const found = discoverySchema.parse(await response.json());
    if (found.issuer === issuer) return found.jwks_uri;
    throw new Error(`it says to be ${found.issuer}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HoldfastError(
      'SERVICE_UNAVAILABLE',
      `The identity provider ${issuer} cannot be asked: ${reason}.`,
    );
  }
}

function toRefusal(error: unknown): HoldfastError {
  if (error instanceof errors.JWTExpired) return unauthorized('it has expired');
  if (error instanceof errors.JWTClaimValidationFailed) return unauthorized(`its "${error.claim}" is wrong`);
  const isOfToken =
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    error.code !== 'ERR_JOSE_GENERIC';
  if (isOfToken) return unauthorized('its signature cannot be verified');
  return new HoldfastError('SERVICE_UNAVAILABLE', 'The keys of the identity provider cannot be read.');
}

/** Creates the error for a refused token; its message has no data of the token. */
export function unauthorized(reason: string): HoldfastError {
  return new HoldfastError('UNAUTHORIZED', `The token of the identity provider is refused: ${reason}.`);
}
