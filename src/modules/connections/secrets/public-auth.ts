import type { ConnectionAuth } from '../../../domain/connection.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { toStorableJson } from '../../../domain/storable.ts';
import { isKeyInUsername, type Grant, type StoredSecrets } from './stored-secrets.ts';

/** The fields of auth that are shown masked. */
const secretFields = ['key', 'token', 'password', 'clientSecret', 'privateKey', 'values'];

/** Maps the secrets of a connection to the auth that the API shows: its type and fields, the secrets masked. */
export function toPublicAuth({ auth, grant }: StoredSecrets, mask: (secret: string) => string): JsonObject {
  const fields: [string, JsonValue | undefined][] = Object.entries<JsonValue | undefined>(
    auth satisfies ConnectionAuth,
  );
  const hidden =
    auth.type === 'basic' && isKeyInUsername(auth) ? [...secretFields, 'username'] : secretFields;
  const isSecret = new Set(hidden);
  const shown = fields
    .filter((field): field is [string, JsonValue] => field[1] !== undefined)
    .map(([name, value]) => [name, isSecret.has(name) ? maskAny(value, mask) : value] as const);
  return {
    ...Object.fromEntries(shown),
    ...(grant === undefined ? {} : { authorized: toPublicGrant(grant) }),
  };
}

function maskAny(value: JsonValue, mask: (secret: string) => string): JsonValue {
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, maskAny(one, mask)]));
  return mask(typeof value === 'string' ? value : '');
}

function toPublicGrant({ issuer, tokenUrl, clientId, resource, scopes }: Grant): JsonObject {
  const shown = { issuer, tokenUrl, clientId, scopes, ...(resource === undefined ? {} : { resource }) };
  // Servers chose these texts, so they may contain characters that Postgres refuses.
  return JSON.parse(toStorableJson(shown)) as JsonObject;
}
