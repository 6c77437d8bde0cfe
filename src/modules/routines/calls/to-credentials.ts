import { isJsonObject, type JsonValue } from '../../../domain/json.ts';
import type { RequestCredentials, RequestScheme } from '../../../domain/request-credentials.ts';
import { createRoutineError } from '../../../domain/routine-error.ts';

const schemes: RequestScheme[] = ['basic', 'bearer', 'oauth2'];

/** Returns the credentials of a request by the authentication of its task, whose secrets are marks. @throws RoutineError */
export function toCredentials(
  authentication: JsonValue | undefined,
  secrets: RequestCredentials['secrets'],
): RequestCredentials {
  if (!isJsonObject(authentication)) return { secrets };
  const scheme = schemes.find((one) => authentication[one] !== undefined);
  const fields = scheme && authentication[scheme];
  if (!scheme || !isJsonObject(fields)) throw wrong('expected "basic", "bearer" or "oauth2"');
  if (typeof fields.use === 'string') return { secrets, connection: { name: fields.use, scheme } };
  if (scheme === 'basic')
    return { secrets, basic: { username: textOf(fields.username), password: textOf(fields.password) } };
  if (scheme === 'bearer') return { secrets, bearer: { token: textOf(fields.token) } };
  throw wrong('expected "use" with the name of a secret');
}

function textOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  throw wrong('expected a text');
}

function wrong(message: string): Error {
  return createRoutineError('authentication', `the authentication cannot be used: ${message}`);
}
