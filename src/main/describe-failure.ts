import { HoldfastError } from '../domain/errors.ts';
import { findErrorCode } from '../platform/lib/database-outage.ts';
import { isTemporalOutage } from '../platform/lib/temporal-outage.ts';

/** The fields that errors of Node's sockets have. */
interface SocketError {
  syscall?: unknown;
  address?: unknown;
  port?: unknown;
}

/** Codes of Postgres for a login that it refuses. */
const refusedLogins: readonly string[] = ['28000', '28P01'];

const unreachableCodes: readonly string[] = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['KnexTimeoutError', '08001', '08006'],
];

/** Returns the sentence for the terminal about an error that ends a program or a command: what is wrong and what to do. */
export function describeFailure(error: unknown): string {
  if (error instanceof HoldfastError) return error.message;
  const code = findErrorCode(error) ?? '';
  const reason = toReason(error);
  if (isListening(error)) return describeListening(error, code);
  if (isTemporalOutage(error))
    return `Temporal does not answer: ${reason}. Start it, or correct TEMPORAL_ADDRESS.`;
  if (refusedLogins.includes(code))
    return `Postgres refuses the login: ${reason}. Correct the user and the password in DATABASE_URL, or for "holdfast migrate" in DATABASE_OWNER_URL.`;
  if (code === '3D000')
    return `Postgres answers, but has no such database: ${reason}. Create it, or correct DATABASE_URL.`;
  if (unreachableCodes.includes(code))
    return `Expected Postgres at the address in DATABASE_URL, found none that answers: ${reason}. Start it, or correct the address.`;
  return `An error that was not expected: ${reason}. The stack is in the log, or shown with HOLDFAST_LOG_LEVEL=debug.`;
}

/** Errors of several addresses have an empty message; each of them has its own. */
function toReason(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return [...new Set(error.errors.map(toReason))].join('; ');
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.trim().replace(/\.$/, '');
}

function isListening(error: unknown): error is SocketError {
  return (error as SocketError | null)?.syscall === 'listen';
}

function describeListening({ address, port }: SocketError, code: string): string {
  const place = `port ${String(port)} of ${String(address)}`;
  if (code === 'EADDRINUSE')
    return `Expected ${place} to be free, found that another program listens there. End it, or set PORT, or for the health checks of a worker HOLDFAST_HEALTH_PORT.`;
  return `Cannot listen at ${place}: ${code}. Correct HOST and PORT, or for the health checks of a worker HOLDFAST_HEALTH_PORT.`;
}
