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
 * Puts random marks in the places of secrets, so that no data can contain one by chance or by design. Where the request is
 * sent, the value of a secret's field replaces its mark. URLs, headers and JSON keep the characters of a mark as they are.
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

/** Returns false for a path that the arguments do not have. */
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
