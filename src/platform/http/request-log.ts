import type { FastifyRequest } from 'fastify';
import type { HttpServer } from './server-type.ts';

const idNames: Partial<Record<string, string>> = {
  agents: 'agentId',
  connections: 'connectionId',
  conversations: 'conversationId',
  turns: 'turnId',
};

/** Logs one line for each request, with ids, but without headers, queries and bodies. */
export function addRequestLog(server: HttpServer): void {
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const line = {
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime),
      ...toIds(request),
    };
    request.log.info(line, 'request');
    done();
  });
}

function toIds(request: FastifyRequest): Record<string, string> {
  const { workspaceId, apiKeyId } = (request.actor as FastifyRequest['actor'] | undefined) ?? {};
  const [, resource = ''] = /^\/api\/([a-z-]+)\/:id/.exec(request.routeOptions.url ?? '') ?? [];
  const { id } = (request.params ?? {}) as { id?: string };
  const name = idNames[resource];
  return {
    ...(workspaceId === undefined || apiKeyId === undefined ? {} : { workspaceId, apiKeyId }),
    ...(name === undefined || id === undefined ? {} : { [name]: id }),
    ...request.loggedIds,
  };
}
