import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import fastify, { LogController } from 'fastify';
import { createAuthenticator } from './authenticate.ts';
import { answerClientError } from './client-error.ts';
import type { Dependencies } from './dependencies.ts';
import { addErrorHandling, sendError } from './error-handling.ts';
import { addOpenApi } from './openapi/open-api.ts';
import { addRequestLog } from './request-log.ts';
import { refuseOtherMethods } from './refuse-other-methods.ts';
import { routes } from './routes/all-routes.ts';
import type { HttpServer } from './server-type.ts';
import { addValidation } from './validation.ts';

/** The largest body that is accepted, in bytes. */
const maxBodyBytes = 1024 * 1024;

/** Builds the HTTP API; it listens when told to. Closing it ends open streams and waits for open requests. */
export async function createServer(dependencies: Dependencies): Promise<HttpServer> {
  const server = fastify({
    loggerInstance: dependencies.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    bodyLimit: maxBodyBytes,
    clientErrorHandler: answerClientError,
    requestTimeout: 60_000,
    return503OnClosing: false,
    frameworkErrors: sendError,
  }) as unknown as HttpServer;
  const closing = new AbortController();
  // Every open stream listens to this one signal.
  setMaxListeners(0, closing.signal);
  server.addHook('preClose', (done) => {
    closing.abort();
    done();
  });
  server.addHook('onSend', (_request, reply) => {
    // Otherwise clients that keep their connections would hold up a server that stops.
    if (closing.signal.aborted) reply.header('connection', 'close');
    return Promise.resolve();
  });
  server.decorateRequest('principal');
  server.decorateRequest('loggedIds');
  addRequestLog(server);
  addErrorHandling(server);
  addValidation(server);
  server.addHook('onRequest', createAuthenticator(dependencies.database));
  await addOpenApi(server);
  for (const route of routes) route.addTo(server, dependencies, closing.signal);
  refuseOtherMethods(server, routes);
  return server;
}
