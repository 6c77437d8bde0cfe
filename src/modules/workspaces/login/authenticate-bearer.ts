import type { KeyActor } from '../../../domain/actor.ts';
import { authenticateKey } from '../keys/authenticate-key.ts';
import type { AuthenticatePerson } from '../people/authenticate-person.ts';
import type { WorkspaceDependencies } from '../workspace-dependencies.ts';

interface BearerDependencies extends Pick<WorkspaceDependencies, 'database'> {
  /** Finds people by tokens of identity providers. @default such tokens are refused */
  authenticatePerson?: AuthenticatePerson | undefined;
}

/**
 * Finds the actor of an API key, a user token or a token of an identity provider.
 * @throws HoldfastError `UNAUTHORIZED` for a text that is none of these, and for a credential that is no longer valid;
 * for tokens of identity providers also `FORBIDDEN` and `SERVICE_UNAVAILABLE`
 */
export function authenticateBearer(
  { database, authenticatePerson }: BearerDependencies,
  text: string,
): Promise<KeyActor> {
  // A JWT has three parts, and API keys and user tokens have no dots.
  const isJwt = authenticatePerson !== undefined && text.split('.').length === 3;
  return isJwt ? authenticatePerson(text) : authenticateKey({ database }, text);
}
