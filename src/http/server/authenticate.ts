import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyActor } from '../../domain/actor.ts';
import { authorize } from '../../domain/authorize.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { authenticateKey } from '../../workspaces/authenticate-key.ts';
import type { AuthenticatePerson } from '../../workspaces/authenticate-person.ts';
import { authenticateSession } from '../../workspaces/sessions.ts';
import type { WorkspaceDependencies } from '../../workspaces/workspace-dependencies.ts';
import { readSessionCookie, refuseOtherOrigins } from './session-cookie.ts';

/** What lets requests in. */
export interface AuthenticatorDependencies extends Pick<WorkspaceDependencies, 'database'> {
  /** Lets people in by tokens of identity providers. @default nobody */
  authenticatePerson?: AuthenticatePerson;
  /** Where browsers reach the API. */
  publicUrl: () => string;
}

/**
 * Builds the hook that authenticates a request before its body is read, by the API key, the user token or the token of an
 * identity provider in `Authorization`, or else by the cookie of a session.
 * @throws HoldfastError `UNAUTHORIZED` without a valid key, `FORBIDDEN` when the key lacks the right of the route, and for the
 * cookie in a request of another origin
 */
export function createAuthenticator(dependencies: AuthenticatorDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { right } = request.routeOptions.config;
    if (!right) return;
    request.actor = await authenticate(dependencies, request).catch((error: unknown) => {
      if (error instanceof HoldfastError) reply.header('www-authenticate', 'Bearer');
      throw error;
    });
    authorize(request.actor, right);
  };
}

async function authenticate(
  dependencies: AuthenticatorDependencies,
  request: FastifyRequest,
): Promise<KeyActor> {
  const { authorization } = request.headers;
  const session = readSessionCookie(request);
  if (authorization === undefined && session !== undefined) {
    refuseOtherOrigins(request, dependencies.publicUrl());
    return authenticateSession(dependencies, session);
  }
  const [, text] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  if (text === undefined) throw new HoldfastError('UNAUTHORIZED', 'Send "Authorization: Bearer <API key>".');
  const { authenticatePerson } = dependencies;
  // A JWT has three parts, and API keys and user tokens have no dots.
  const isJwt = authenticatePerson !== undefined && text.split('.').length === 3;
  return isJwt ? authenticatePerson(text) : authenticateKey(dependencies, text);
}
