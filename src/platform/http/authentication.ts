import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { KeyActor } from '../../domain/actor.ts';
import { authorize } from '../../domain/authorize.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { ServerDependencies } from './server-dependencies.ts';
import type { HttpServer } from './server-type.ts';
import { readSessionCookie, refuseOtherOrigins } from './session-cookie.ts';

type Authentication = Pick<ServerDependencies, 'authenticateBearer' | 'authenticateSession' | 'publicUrl'>;

/**
 * Makes the server authenticate each request before its body is read, by `Authorization`, or else by the cookie of a
 * session. It answers `UNAUTHORIZED` without a valid credential, and `FORBIDDEN` when the caller lacks the right of the
 * route and for the cookie in a request of another origin. A server with a route that names neither a right nor why it is
 * open does not start.
 */
export function addAuthentication(server: HttpServer, authentication: Authentication): void {
  server.decorateRequest('actor');
  const added: RouteOptions[] = [];
  server.addHook('onRoute', (route) => void added.push(route));
  server.addHook('onReady', (done) => done(findUnguarded(added)));
  server.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const { right } = request.routeOptions.config;
    if (!right) return;
    request.actor = await authenticate(authentication, request).catch((error: unknown) => {
      if (error instanceof HoldfastError) reply.header('www-authenticate', 'Bearer');
      throw error;
    });
    authorize(request.actor, right);
  });
}

function findUnguarded(routes: readonly RouteOptions[]): Error | undefined {
  const found = routes.find(({ config }) => config?.right === undefined && config?.open === undefined);
  return found && new Error(`${found.url} names neither the right of its callers nor why it is open`);
}

async function authenticate(
  { authenticateBearer, authenticateSession, publicUrl }: Authentication,
  request: FastifyRequest,
): Promise<KeyActor> {
  const { authorization } = request.headers;
  const session = readSessionCookie(request);
  if (authorization === undefined && session !== undefined) {
    refuseOtherOrigins(request, publicUrl());
    return authenticateSession(session);
  }
  const [, text] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  if (text === undefined) throw new HoldfastError('UNAUTHORIZED', 'Send "Authorization: Bearer <API key>".');
  return authenticateBearer(text);
}
