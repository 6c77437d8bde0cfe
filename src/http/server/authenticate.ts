import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyActor } from '../../domain/actor.ts';
import { authorize } from '../../domain/authorize.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { authenticateKey } from '../../workspaces/authenticate-key.ts';
import type { WorkspaceDependencies } from '../../workspaces/workspace-dependencies.ts';

/**
 * Builds the hook that authenticates a request before its body is read, by the API key in `Authorization`.
 * @throws HoldfastError `UNAUTHORIZED` without a valid key, `FORBIDDEN` when the key lacks the right of the route
 */
export function createAuthenticator(dependencies: WorkspaceDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { right } = request.routeOptions.config;
    if (!right) return;
    request.actor = await authenticate(dependencies, request.headers.authorization).catch(
      (error: unknown) => {
        if (error instanceof HoldfastError) reply.header('www-authenticate', 'Bearer');
        throw error;
      },
    );
    authorize(request.actor, right);
  };
}

async function authenticate(
  dependencies: WorkspaceDependencies,
  authorization: string | undefined,
): Promise<KeyActor> {
  const [, text] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  if (text !== undefined) return authenticateKey(dependencies, text);
  throw new HoldfastError('UNAUTHORIZED', 'Send "Authorization: Bearer <API key>".');
}
