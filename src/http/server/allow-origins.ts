import type { onRequestHookHandler, onSendAsyncHookHandler } from 'fastify';
import { HoldfastError } from '../../domain/errors.ts';
import type { HttpServer } from './server-type.ts';

interface OriginRules {
  path: string;
  method: string;
  /** As browsers send them; a page of any other origin is refused. */
  origins: readonly string[];
  /** What a page may send, besides what it always may. */
  headers: readonly string[];
}

/** How long a browser need not ask again, in seconds. */
const preflightSeconds = 600;

/**
 * Lets pages of exactly these origins use an endpoint: answers their preflights, and gives the hooks for its route.
 * Without origins nothing is ever said about any. Programs send no origin and are not concerned.
 */
export function allowOrigins(server: HttpServer, { path, method, origins, headers }: OriginRules) {
  const onRequest: onRequestHookHandler = ({ headers: { origin } }, _reply, done) => {
    if (origin === undefined || origins.includes(origin)) done();
    else done(new HoldfastError('FORBIDDEN', `Pages of ${origin} may not use this endpoint.`));
  };
  // With the answer, since that may also be one of a hook before these.
  const onSend: onSendAsyncHookHandler = ({ headers: { origin } }, reply) => {
    if (origins.length > 0) reply.header('vary', 'Origin');
    if (origin !== undefined && origins.includes(origin)) {
      reply.header('access-control-allow-origin', origin).header('access-control-allow-credentials', 'true');
    }
    return Promise.resolve();
  };
  server.route({
    method: 'OPTIONS',
    url: path,
    schema: { hide: true },
    onRequest,
    onSend,
    handler: (_request, reply) =>
      reply
        .code(204)
        .headers({
          allow: `${method}, OPTIONS`,
          'access-control-allow-methods': method,
          'access-control-allow-headers': headers.join(', '),
          'access-control-max-age': preflightSeconds,
        })
        .send(),
  });
  return { onRequest, onSend };
}
