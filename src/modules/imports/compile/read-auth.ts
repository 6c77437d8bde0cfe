import type { ConnectionAuthType } from '../../../domain/connection.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import type { KeyLocation } from '../../../domain/key-places.ts';
import type { NeededScope } from '../../../domain/scopes.ts';
import { resolveReference } from '../../../engines/openapi/resolve-reference.ts';
import { toPointer } from '../../../engines/openapi/openapi-error.ts';
import type { ProviderAuth } from '../../../engines/providers/define-provider.ts';
import type { Warn } from './convert-schema.ts';
import { toName, toPlainText, toText } from './texts.ts';

/** The schemes that a request needs together, with the scopes of each. */
type Requirement = Record<string, string[]>;

/** Reads the alternatives of `security`: that of an operation, or else that of the document. */
export function readRequirements(document: JsonObject, operation: JsonObject): Requirement[] {
  const list = operation.security ?? document.security;
  return (Array.isArray(list) ? list : [])
    .filter(isJsonObject)
    .map((alternative) =>
      Object.fromEntries(
        Object.entries(alternative).map(([name, scopes]) => [
          name,
          (Array.isArray(scopes) ? scopes : []).filter((scope) => typeof scope === 'string' && scope !== ''),
        ]),
      ),
    ) as Requirement[];
}

/** Returns the scopes of OAuth that an operation needs; one of several single ones is enough. */
export function toNeededScopes(document: JsonObject, requirements: readonly Requirement[]): NeededScope[] {
  // A request that may go without credentials needs no scope.
  if (requirements.some((alternative) => Object.keys(alternative).length === 0)) return [];
  const lists = requirements.flatMap((alternative) => {
    const [name] = Object.keys(alternative).filter((one) => findScheme(document, one).type === 'oauth2');
    return name === undefined ? [] : [[...new Set(alternative[name])]];
  });
  const [first = [], ...others] = lists;
  const single = lists.flatMap((scopes) => (scopes.length === 1 ? scopes : []));
  const unique = [...new Set(single)];
  const isChoice = others.length > 0 && single.length === lists.length && unique.length > 1;
  return isChoice ? [unique as [string, ...string[]]] : first;
}

function findScheme(document: JsonObject, name: string): JsonObject {
  const { securitySchemes } = isJsonObject(document.components) ? document.components : {};
  const schemes = isJsonObject(securitySchemes) ? securitySchemes : {};
  return Object.hasOwn(schemes, name) ? resolveReference(document, schemes[name], toSchemePointer(name)) : {};
}

function toSchemePointer(name: string): string {
  return toPointer('/components/securitySchemes', name);
}

interface AuthParts {
  document: JsonObject;
  /** The requirements of each chosen operation. */
  requirements: readonly (readonly Requirement[])[];
  /** The address that relative addresses of OAuth belong to. */
  baseUrl: string;
  warn: Warn;
}

/**
 * Reads how connections authenticate, from the schemes that the chosen operations name. Each scheme that a connection
 * cannot have adds a warning.
 */
export function readAuth({ document, requirements, baseUrl, warn }: AuthParts): ProviderAuth {
  const auth: MutableAuth = { types: [], hints: [] };
  const seen = new Set<string>();
  for (const alternative of requirements.flat()) {
    const names = Object.keys(alternative);
    const key = names.join(' ');
    if (names.length === 0 || seen.has(key)) continue;
    seen.add(key);
    if (names.length > 1 && addKeys(auth, document, names)) continue;
    for (const name of names) addScheme(auth, { document, name, baseUrl, warn });
    if (names.length > 1) {
      const message = `the schemes ${names.join(' and ')} together are not supported; a connection has one of them`;
      warn('/security', message);
    }
  }
  if (seen.size === 0) addUnnamed(auth, { document, baseUrl, warn });
  const { types, hints, ...rest } = auth;
  const [first = 'none', ...others] = [...new Set(types)];
  return { ...rest, types: [first, ...others], ...(hints.length > 0 ? { hint: hints.join(' ') } : {}) };
}

type MutableAuth = Omit<ProviderAuth, 'types' | 'hint'> & { types: ConnectionAuthType[]; hints: string[] };

/** A document may define schemes that no operation names, or leave them to its readers. */
function addUnnamed(auth: MutableAuth, parts: Omit<SchemeParts, 'name'>): void {
  const { securitySchemes } = isJsonObject(parts.document.components) ? parts.document.components : {};
  const names = Object.keys(isJsonObject(securitySchemes) ? securitySchemes : {});
  for (const name of names) addScheme(auth, { ...parts, name });
  if (names.length > 0) auth.types.push('none');
  else if (parts.document.security === undefined) {
    auth.types.push('none', 'bearer', 'api_key', 'basic');
    parts.warn(
      '/security',
      'the document names no credentials; a connection may have a token, a key or a password',
    );
  }
}

interface SchemeParts extends Omit<AuthParts, 'requirements'> {
  name: string;
}

function addScheme(auth: MutableAuth, parts: SchemeParts): void {
  const { document, name, warn } = parts;
  const scheme = findScheme(document, name);
  const pointer = toSchemePointer(name);
  const hint = toPlainText(scheme.description, 300);
  const add = (type: ConnectionAuthType) => {
    auth.types.push(type);
    if (hint !== '' && !auth.hints.includes(hint)) auth.hints.push(hint);
  };
  const word =
    `${toText(scheme.type)} ${toText(scheme.type === 'http' ? scheme.scheme : scheme.in)}`.toLowerCase();
  if (word === 'http bearer') add('bearer');
  else if (word === 'http basic') add('basic');
  else if (word === 'apikey header') addHeaderKey();
  else if (word === 'apikey query') {
    if (addKeys(auth, document, [name]) && hint !== '') auth.hints.push(hint);
  } else if (scheme.type === 'oauth2') addOAuth(auth, scheme, parts);
  else if (scheme.type === 'openIdConnect') addOpenId();
  else warn(pointer, `${describeScheme(scheme)} is not supported; a connection cannot have it`);

  function addHeaderKey(): void {
    const header = toText(scheme.name);
    if (!/^[A-Za-z0-9-]{1,100}$/.test(header) || header.toLowerCase() === 'cookie') {
      warn(toPointer(pointer, 'name'), `"${header}" is no header that a key can be in`);
      return;
    }
    if (auth.apiKey && auth.apiKey.header !== header) {
      warn(pointer, `a connection has its key in ${auth.apiKey.header}, not in ${header}`);
      return;
    }
    auth.apiKey = { header };
    add('api_key');
  }

  function addOpenId(): void {
    const issuer = toText(scheme.openIdConnectUrl).replace(/\/\.well-known\/openid-configuration\/?$/, '');
    add('oauth2_authorization_code');
    auth.hints.push(`Give ${issuer} as the issuer of the authorization.`);
    warn(pointer, `openIdConnect: a connection has to name the issuer ${issuer} in its auth`);
  }
}

function describeScheme({ type, scheme, in: place }: JsonObject): string {
  if (type === 'http') return `HTTP authentication "${toText(scheme)}"`;
  if (type === 'apiKey') return `a key in a ${toText(place)}`;
  return type === undefined ? 'a scheme that the document does not define' : `"${toText(type)}"`;
}

/** Adds several keys, or one that is no header; false when a scheme is no key. */
function addKeys(auth: MutableAuth, document: JsonObject, names: string[]): boolean {
  const places = names.map((name): [string, KeyLocation | null] => [
    name,
    toKeyPlace(findScheme(document, name), name),
  ]);
  if (places.some(([, place]) => place === null)) return false;
  if (auth.keys) return true;
  auth.keys = Object.fromEntries(
    places.map(([name, place]) => [toName(name, 50).replaceAll('-', '_'), place]),
  ) as Record<string, KeyLocation>;
  auth.types.push('keys');
  return true;
}

function toKeyPlace({ type, in: place, name, scheme }: JsonObject, title: string): KeyLocation | null {
  if (type === 'http' && toText(scheme).toLowerCase() === 'bearer')
    return { title, header: 'Authorization', prefix: 'Bearer ' };
  if (type !== 'apiKey' || typeof name !== 'string') return null;
  if (place === 'query') return { title, query: name };
  return place === 'header' && /^[A-Za-z0-9-]{1,100}$/.test(name) ? { title, header: name } : null;
}

function addOAuth(auth: MutableAuth, { flows }: JsonObject, { name, baseUrl, warn }: SchemeParts): void {
  const all: JsonObject = isJsonObject(flows) ? flows : {};
  const pointer = toPointer(toSchemePointer(name), 'flows');
  const toUrl = (flow: JsonValue | undefined, field: string) =>
    isJsonObject(flow) ? (URL.parse(toText(flow[field]), baseUrl)?.href ?? null) : null;
  const authorizationUrl = toUrl(all.authorizationCode, 'authorizationUrl');
  const tokenUrl = toUrl(all.authorizationCode, 'tokenUrl');
  if (authorizationUrl !== null && tokenUrl !== null) {
    auth.types.push('oauth2_authorization_code');
    auth.oauth ??= { authorizationUrl, tokenUrl, scopes: [] };
  }
  const clientTokenUrl = toUrl(all.clientCredentials, 'tokenUrl');
  if (clientTokenUrl !== null) {
    auth.types.push('oauth2_client_credentials');
    if (clientTokenUrl !== auth.oauth?.tokenUrl)
      auth.hints.push(`The token URL of client credentials is ${clientTokenUrl}.`);
  }
  for (const flow of ['implicit', 'password'])
    if (all[flow] !== undefined)
      warn(toPointer(pointer, flow), `the flow "${flow}" is not supported; a connection cannot have it`);
}
