import { HoldfastError } from '../../domain/errors.ts';
import type { DeclaredRoute } from './route.ts';
import { hidden } from './access.ts';
import type { HttpServer } from './server-type.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'QUERY'];

/** Answers 405 with the allowed methods, where fastify would answer 404. */
export function refuseOtherMethods(server: HttpServer, routes: readonly DeclaredRoute[]): void {
  const allowed = Map.groupBy(routes, ({ path }) => path);
  for (const [path, declared] of allowed) {
    const known = declared.map(({ method }) => method);
    if (server.hasRoute({ method: 'HEAD', url: path })) known.push('HEAD');
    const others = methods.filter((method) => !known.includes(method));
    server.route({
      method: others,
      url: path,
      ...hidden({ open: 'It refuses every request.' }),
      onRequest: async (request, reply) => {
        reply.header('allow', known.join(', '));
        const message = `This address does not support ${request.method}; expected ${known.join(', ')}.`;
        throw new HoldfastError('METHOD_NOT_ALLOWED', message);
      },
      handler: () => undefined,
    });
  }
}
