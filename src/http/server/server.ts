import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { LogController } from 'fastify';
import { createAuthenticator } from './authenticate.ts';
import { answerClientError } from './client-error.ts';
import type { Dependencies } from './api-dependencies.ts';
import { addErrorHandling, sendError } from './error-handling.ts';
import { addOAuthCallback } from '../oauth/oauth-callback.ts';
import { addOpenApi } from './openapi/open-api.ts';
import { addRequestLog } from './request-log.ts';
import { refuseOtherMethods } from './refuse-other-methods.ts';
import { routes } from '../rest/rest-routes.ts';
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
  const closeUnused = watchUnusedConnections(server.server);
  server.addHook('preClose', (done) => {
    closing.abort();
    closeUnused();
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
  addOAuthCallback(server, dependencies);
  for (const route of routes) route.addTo(server, dependencies, closing.signal);
  refuseOtherMethods(server, routes);
  return server;
}

/**
 * Returns what closes the connections over which no request has come yet. Browsers open such in advance, and to
 * Node they are not idle: it would wait for the headers of a request.
 */
function watchUnusedConnections(server: Server): () => void {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return () => unused.forEach((socket) => socket.destroy());
}
