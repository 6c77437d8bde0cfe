import type { FastifyReply, FastifyRequest } from 'fastify';
import { HoldfastError } from '../../domain/errors.ts';
import { errorStatuses, toErrorInfo } from './error-statuses.ts';
import type { HttpServer } from './server-type.ts';

/** Makes the server answer all errors and unknown addresses in the same form. */
export function addErrorHandling(server: HttpServer): void {
  server.setErrorHandler(sendError);
  server.setNotFoundHandler((request, reply) =>
    sendError(new HoldfastError('NOT_FOUND', 'There is no endpoint at this address.'), request, reply),
  );
}

/** Answers a request with a thrown error. Errors with a status from 500 are logged with their cause. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const info = toErrorInfo(error);
  const status = errorStatuses[info.code];
  if (status >= 500) request.log.error({ err: error, code: info.code }, 'the request failed');
  if (error instanceof HoldfastError && error.retryAfterMs !== undefined) {
    void reply.header('retry-after', Math.ceil(error.retryAfterMs / 1000));
  }
  const details = info.code === 'INTERNAL' ? { requestId: request.id } : info.details;
  void reply.code(status).send({
    success: false,
    error: { code: info.code, message: info.message, ...(details === undefined ? {} : { details }) },
  });
}
