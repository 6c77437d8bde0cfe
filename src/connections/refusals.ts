import type { Connection } from '../domain/connection.ts';
import { HoldfastError } from '../domain/errors.ts';

/** The workspace has no such connection, or none that it may use: callers can not tell the two apart. */
export function accessDenied(connectionId: string): HoldfastError {
  return new HoldfastError(
    'CONNECTION_ACCESS_DENIED',
    `Connection ${connectionId} not found or access denied`,
  );
}

/** A person has to connect again. */
export function notActive({ name, status }: Pick<Connection, 'name' | 'status'>): HoldfastError {
  return new HoldfastError('CONNECTION_NOT_ACTIVE', `Connection ${name} is ${status}. Please reconnect.`);
}

/** A stored tool expects another provider than its connection has. */
export function providerMismatch(expected: string, found: string): HoldfastError {
  return new HoldfastError(
    'CONNECTION_PROVIDER_MISMATCH',
    `Connection provider mismatch: expected ${expected}, got ${found}`,
  );
}

/** There is no such connection for the caller of the API. */
export function connectionNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no connection ${id}.`);
}

/** The database could not be asked about a connection: it may answer later, and nothing was sent to anybody. */
export async function orUnavailable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof HoldfastError) throw cause;
    throw new HoldfastError('SERVICE_UNAVAILABLE', 'The connection can not be looked up now.', { cause });
  }
}
