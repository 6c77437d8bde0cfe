import { HoldfastError } from '../../domain/errors.ts';
import type { Route } from './route.ts';
import type { HttpServer } from './server-type.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Answers 405 with the methods that there are, where fastify alone would say that there is nothing. */
export function refuseOtherMethods(server: HttpServer, routes: Route[]): void {
  const allowed = Map.groupBy(routes, ({ path }) => path);
  for (const [path, declared] of allowed) {
    const known = declared.map(({ method }) => method);
    if (server.hasRoute({ method: 'HEAD', url: path })) known.push('HEAD');
    const others = methods.filter((method) => !known.includes(method));
    server.route({
      method: others,
      url: path,
      schema: { hide: true },
      onRequest: async (request, reply) => {
        reply.header('allow', known.join(', '));
        const message = `${request.method} is not possible here; ${known.join(', ')} is.`;
        throw new HoldfastError('METHOD_NOT_ALLOWED', message);
      },
      handler: () => undefined,
    });
  }
}
