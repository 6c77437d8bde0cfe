import { createPrivateKey } from 'node:crypto';
import type { ConnectionAuth } from '../../domain/connection.ts';
import { connectionHeaders } from '../../domain/connection-headers.ts';
import { HoldfastError, type FieldError } from '../../domain/errors.ts';
import { findVariableUrl } from '../../domain/provider-address.ts';
import { findVariableProblems } from '../../domain/url-variables.ts';
import type { ProviderFacts } from './connection-parts.ts';
import { findSigningAlgorithm } from './oauth/signing-key.ts';

/** Headers that HTTP itself uses; a key in one of them would break the request. */
const refusedHeaders = new Set<string>([...connectionHeaders, 'accept', 'content-encoding', 'content-type']);

interface CheckedInput {
  provider: string;
  endpoint?: string | null | undefined;
  variables?: Readonly<Record<string, string>> | undefined;
  auth: ConnectionAuth;
  /** The type of the stored auth, where `auth` is none of the connection. @default that of `auth` */
  authType?: unknown;
}

/**
 * Checks the fields of a connection beyond its schema.
 * @throws HoldfastError `INVALID_INPUT` with the names of the wrong fields, and without their values
 */
export function checkConnectionInput(input: CheckedInput, provider?: ProviderFacts): void {
  const problems = [
    ...checkEndpoint(input),
    ...checkVariables(input, provider),
    ...checkAuth(input.auth),
    ...checkKeys(input.auth, provider),
    ...checkClient(input, provider),
  ];
  const [first] = problems;
  if (!first) return;
  throw new HoldfastError('INVALID_INPUT', `${first.field}: ${first.message}`, { details: problems });
}

function* checkEndpoint({ provider, endpoint }: CheckedInput): Generator<FieldError> {
  if (endpoint === undefined || endpoint === null) {
    if (provider === 'mcp') yield { field: 'endpoint', message: 'expected the URL of the MCP server' };
    return;
  }
  const { username, password } = new URL(endpoint);
  if (username !== '' || password !== '') {
    yield { field: 'endpoint', message: 'expected a URL without user name and password; those go into auth' };
  }
}

function checkVariables(
  { endpoint, variables: values = {}, auth, authType = auth.type }: CheckedInput,
  facts: ProviderFacts = { baseUrl: '', auth: {} },
): Iterable<FieldError> {
  const url = endpoint ?? findVariableUrl(facts, authType);
  return findVariableProblems({ url, variables: facts.variables ?? {}, values });
}

/** Checks that auth of type `keys` has the secrets of the provider, and no others. */
function* checkKeys(auth: ConnectionAuth, provider: ProviderFacts | undefined): Generator<FieldError> {
  if (auth.type !== 'keys') return;
  const places = provider?.auth.keys ?? {};
  const names = Object.keys(places);
  if (names.length === 0)
    yield { field: 'auth.type', message: 'expected another type: the provider has no keys' };
  for (const name of names)
    if (auth.values[name] === undefined) yield { field: `auth.values.${name}`, message: 'is missing' };
  for (const [name, value] of Object.entries(auth.values)) {
    if (!Object.hasOwn(places, name))
      yield { field: `auth.values.${name}`, message: `is not known; expected ${names.join(', ')}` };
    yield* checkHeaderText(`auth.values.${name}`, value);
  }
}

function* checkAuth(auth: ConnectionAuth): Generator<FieldError> {
  if (auth.type === 'api_key') {
    if (refusedHeaders.has(auth.header.toLowerCase())) {
      yield { field: 'auth.header', message: 'expected a header that carries a key' };
    }
    yield* checkHeaderText('auth.prefix', auth.prefix);
    yield* checkHeaderText('auth.key', auth.key);
  }
  if (auth.type === 'bearer') yield* checkHeaderText('auth.token', auth.token);
  if (auth.type === 'basic' && auth.username.includes(':')) {
    yield { field: 'auth.username', message: 'expected a user name without a colon' };
  }
}

/** Checks the client of client credentials: how it authenticates, and where. */
function* checkClient(
  { provider, auth }: CheckedInput,
  facts: ProviderFacts | undefined,
): Generator<FieldError> {
  if (auth.type !== 'oauth2_client_credentials') return;
  if ((auth.clientSecret === undefined) === (auth.privateKey === undefined)) {
    yield { field: 'auth.clientSecret', message: 'expected either clientSecret or privateKey' };
  }
  if (auth.privateKey !== undefined && !isSigningKey(auth.privateKey)) {
    const message = 'expected a private key in PEM of type RSA, EC (P-256, P-384, P-521) or Ed25519';
    yield { field: 'auth.privateKey', message };
  }
  const isKnown = provider === 'mcp' || facts?.auth.oauth !== undefined;
  if (auth.tokenUrl === undefined && auth.issuer === undefined && !isKnown) {
    yield { field: 'auth.tokenUrl', message: 'expected tokenUrl or issuer: the provider has no known one' };
  }
}

function isSigningKey(pem: string): boolean {
  try {
    return findSigningAlgorithm(createPrivateKey(pem)) !== null;
  } catch {
    return false;
  }
}

function* checkHeaderText(field: string, text: string): Generator<FieldError> {
  if (!/^[\x20-\x7e]*$/.test(text)) {
    yield { field, message: 'expected printable ASCII characters, which a header can carry' };
  }
}
