import { randomBytes } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import type { RequestCredentials } from '../../../domain/request-credentials.ts';
import type { SecretLocation } from '../../../domain/secret-reference.ts';

/** Arguments with marks in the places of secrets. */
export interface SealedArguments {
  given: JsonObject;
  secrets: RequestCredentials['secrets'];
}

/**
 * Puts marks in the places of secrets, which no data can contain by chance or by design: the mark of a field of a secret
 * becomes its value where the request is sent. Its characters stay as they are in URLs, headers and JSON.
 */
export function sealSecrets(given: JsonObject, places: SecretLocation[]): SealedArguments {
  const sealed = structuredClone(given);
  const secrets: RequestCredentials['secrets'] = {};
  for (const { at, name, field } of places) {
    const mark = `secret.${name.replaceAll(/[^\w-]/g, '_')}.${field}.${randomBytes(6).toString('hex')}`;
    if (put(sealed, at, mark)) secrets[mark] = { name, field };
  }
  return { given: sealed, secrets };
}

/** False for a place that the arguments do not have. */
function put(root: JsonObject, at: string[], mark: string): boolean {
  const last = at.at(-1);
  let holder: JsonValue | undefined = root;
  for (const name of at.slice(0, -1)) holder = fieldOf(holder, name);
  if (last === undefined || fieldOf(holder, last) === undefined) return false;
  (holder as JsonObject)[last] = mark;
  return true;
}

function fieldOf(holder: JsonValue | undefined, name: string): JsonValue | undefined {
  if (Array.isArray(holder)) return holder[Number(name)];
  return isJsonObject(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
}
