import type { SecretField } from './secret-reference.ts';

/** The schemes by which a routine authenticates its requests. */
export type RequestScheme = 'basic' | 'bearer' | 'oauth2';

/**
 * The credentials of one HTTP request of a routine, without the values of secrets: a text of the request that is a key of
 * `secrets` stands for that field. They are in the tool of the call, never in its arguments.
 */
export interface RequestCredentials {
  /** The connection that adds its own credentials. */
  connection?: { name: string; scheme: RequestScheme };
  basic?: { username: string; password: string };
  bearer?: { token: string };
  secrets: Record<string, SecretField>;
}
