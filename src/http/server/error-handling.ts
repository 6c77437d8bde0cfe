import type { FastifyReply, FastifyRequest } from 'fastify';
import { HoldfastError } from '../../domain/errors.ts';
import { errorStatuses, toErrorInfo } from './error-statuses.ts';
import type { HttpServer } from './server-type.ts';

/** Answers everything that goes wrong in the one form that errors have. */
export function addErrorHandling(server: HttpServer): void {
  server.setErrorHandler(sendError);
  server.setNotFoundHandler((request, reply) =>
    sendError(new HoldfastError('NOT_FOUND', 'There is nothing at this address.'), request, reply),
  );
}

/** Answers a request with what was thrown; what is our fault is logged with its cause. */
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
