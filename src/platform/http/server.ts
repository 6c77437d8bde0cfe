import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { LogController } from 'fastify';
import { allowPages } from './allow-pages.ts';
import { addAuthentication } from './authentication.ts';
import { answerClientError } from './client-error.ts';
import type { Door } from './door.ts';
import { addErrorHandling, createSendError } from './error-handling.ts';
import { addOpenApi } from './openapi/open-api.ts';
import { addRequestLog } from './request-log.ts';
import type { ServerDependencies } from './server-dependencies.ts';
import type { HttpServer } from './server-type.ts';
import { addValidation } from './validation.ts';

/** The largest body that is accepted, in bytes. */
const maxBodyBytes = 1024 * 1024;

/**
 * Builds the server with the routes of its doors; the caller starts it with `listen`. Closing it ends open streams and
 * waits for open requests.
 */
export async function createServer<Dependencies extends ServerDependencies>(
  dependencies: Dependencies,
  doors: readonly Door<Dependencies>[],
): Promise<HttpServer> {
  const sendError = createSendError(dependencies.databaseState);
  const server = fastify({
    loggerInstance: dependencies.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    bodyLimit: maxBodyBytes,
    clientErrorHandler: answerClientError,
    // Time for a file of 50 MB at about 1.5 Mbit/s. Headers have to arrive within a minute.
    requestTimeout: 300_000,
    return503OnClosing: false,
    frameworkErrors: sendError,
  }) as unknown as HttpServer;
  const closing = new AbortController();
  // Every open stream adds a listener to this signal, so there is no limit of listeners.
  setMaxListeners(0, closing.signal);
  const closeUnused = watchUnusedSockets(server.server);
  server.addHook('preClose', (done) => {
    closing.abort();
    closeUnused();
    done();
  });
  server.addHook('onSend', (_request, reply) => {
    // A client that keeps its socket open would delay a server that stops.
    if (closing.signal.aborted) reply.header('connection', 'close');
    return Promise.resolve();
  });
  server.decorateRequest('loggedIds');
  addRequestLog(server);
  await allowPages(server, dependencies.apiOrigins ?? []);
  addErrorHandling(server, sendError);
  addValidation(server);
  addAuthentication(server, dependencies);
  await addOpenApi(server);
  for (const door of doors) door(server, dependencies, closing.signal);
  return server;
}

/**
 * Returns a function that closes the sockets without a request so far. Browsers open such sockets in advance, and Node
 * does not count them as idle: it would wait for the headers of a request.
 */
function watchUnusedSockets(server: Server): () => void {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return () => unused.forEach((socket) => socket.destroy());
}
