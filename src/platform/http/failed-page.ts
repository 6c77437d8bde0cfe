import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseOutage } from '../lib/database-outage.ts';
import { errorStatuses, toErrorInfo } from './error-statuses.ts';
import type { ServerDependencies } from './server-dependencies.ts';

interface FailedPage {
  dependencies: Pick<ServerDependencies, 'databaseState'>;
  request: FastifyRequest;
  reply: FastifyReply;
  error: unknown;
  /** The line of the log for an error of this server. */
  line: string;
}

/**
 * Sets the status of a page that could not be shown, and logs an error of this server. Returns the message for the person.
 * The refusal of another server (`AUTHORIZATION_FAILED`) is no error of this one.
 */
export function failPage({ dependencies, request, reply, error, line }: FailedPage): string {
  const { code, message } = toErrorInfo(error);
  const status = code === 'AUTHORIZATION_FAILED' ? 400 : errorStatuses[code];
  if (isDatabaseOutage(error)) dependencies.databaseState.failed(error);
  else if (status >= 500) request.log.error({ err: error, code }, line);
  reply.code(status);
  return message;
}
