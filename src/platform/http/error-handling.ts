import type { FastifyReply, FastifyRequest } from 'fastify';
import { createInvalidInput, HoldfastError, type ErrorInfo } from '../../domain/errors.ts';
import { isDatabaseOutage } from '../lib/database-outage.ts';
import type { DependencyState } from '../lib/dependency-state.ts';
import { errorStatuses, toErrorInfo } from './error-statuses.ts';
import type { HttpServer } from './server-type.ts';

/** Answers a request with a thrown error. */
export type SendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** Makes the server answer all errors and unknown addresses in the same form. */
export function addErrorHandling(server: HttpServer, sendError: SendError): void {
  server.setErrorHandler(sendError);
  server.setNotFoundHandler((request, reply) =>
    sendError(new HoldfastError('NOT_FOUND', 'There is no endpoint at this address.'), request, reply),
  );
}

/**
 * Builds the function that answers errors. It logs errors with a status from 500 with their cause. Errors of an outage
 * only change the state of the database, which logs one line for all of them.
 */
export function createSendError(database: Pick<DependencyState, 'failed'>): SendError {
  return (error, request, reply) => {
    const hasLeft = hasClientLeft(request);
    const info = hasLeft ? clientLeft : toErrorInfo(error);
    const status = errorStatuses[info.code];
    if (hasLeft) request.log.info(describe(request), 'the client disconnected before the end of its body');
    else if (isDatabaseOutage(error)) database.failed(error);
    // The line of the request has the status 503, which is expected and needs no stack.
    else if (status >= 500 && info.code !== 'SERVICE_UNAVAILABLE') {
      request.log.error({ err: error, code: info.code }, 'the request failed');
    }
    if (error instanceof HoldfastError && error.retryAfterMs !== undefined) {
      void reply.header('retry-after', Math.ceil(error.retryAfterMs / 1000));
    }
    const details = info.code === 'INTERNAL' ? { requestId: request.id } : info.details;
    void reply.code(status).send({
      success: false,
      error: { code: info.code, message: info.message, ...(details === undefined ? {} : { details }) },
    });
  };
}

const clientLeft: ErrorInfo = createInvalidInput([
  { field: 'body', message: 'expected a whole body, but the client disconnected before its end' },
]).toInfo();

function describe({ method, routeOptions }: FastifyRequest) {
  return { method, route: routeOptions.url };
}

/** Returns true when the client disconnected before it had sent its whole request; Node reports that as ECONNRESET. */
function hasClientLeft({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}
