import type { onRequestHookHandler, onSendAsyncHookHandler } from 'fastify';
import { HoldfastError } from '../../domain/errors.ts';
import { hidden } from './access.ts';
import type { HttpServer } from './server-type.ts';

interface OriginRules {
  path: string;
  method: string;
  /** The allowed origins, in the form that browsers send; pages of other origins are refused. */
  origins: readonly string[];
  /** The request headers that a page may send, besides those that browsers always allow. */
  headers: readonly string[];
}

/** How long browsers may cache the answer to a preflight request, in seconds. */
const preflightSeconds = 600;

/**
 * Allows pages of exactly these origins to use an endpoint (CORS): answers their preflight requests, and returns the
 * hooks for its route. Requests without an origin, which programs send, always pass.
 */
export function allowOrigins(server: HttpServer, { path, method, origins, headers }: OriginRules) {
  const onRequest: onRequestHookHandler = ({ headers: { origin } }, _reply, done) => {
    if (origin === undefined || origins.includes(origin)) done();
    else done(new HoldfastError('FORBIDDEN', `Pages of ${origin} may not use this endpoint.`));
  };
  // Added in `onSend`, so that errors of earlier hooks, such as authentication, have the headers too.
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
    ...hidden({ open: 'It says which pages may call the endpoint.' }),
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
