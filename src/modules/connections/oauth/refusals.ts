import type { Connection } from '../../../domain/connection.ts';
import { HoldfastError } from '../../../domain/errors.ts';

/** The error for a connection that does not exist in the workspace, whether or not another workspace has it. */
export function accessDenied(connectionId: string): HoldfastError {
  return new HoldfastError(
    'CONNECTION_ACCESS_DENIED',
    `Connection ${connectionId} not found or access denied`,
  );
}

/** The error for a connection that is not `active`: a person has to connect again. */
export function notActive({ name, status }: Pick<Connection, 'name' | 'status'>): HoldfastError {
  return new HoldfastError('CONNECTION_NOT_ACTIVE', `Connection ${name} is ${status}. Please reconnect.`);
}

/** The error for a stored tool that expects another provider than its connection has. */
export function providerMismatch(expected: string, found: string): HoldfastError {
  return new HoldfastError(
    'CONNECTION_PROVIDER_MISMATCH',
    `Connection provider mismatch: expected ${expected}, got ${found}`,
  );
}

/** The error for a connection that a caller of the API names and the workspace does not have. */
export function connectionNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no connection ${id}.`);
}

/**
 * Refuses a name that a server of the operator's MCP catalogue has: rules and gateways know servers by their names.
 * @throws HoldfastError `CONFLICT`
 */
export function checkServerName(name: string, mcpServers: readonly string[] = []): void {
  if (!mcpServers.includes(name)) return;
  throw new HoldfastError('CONFLICT', `The operator's MCP catalogue has a server named "${name}" already.`);
}

/** Maps a failure of the database to the retryable `SERVICE_UNAVAILABLE`: no request was sent yet. */
export async function orUnavailable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof HoldfastError) throw cause;
    throw new HoldfastError('SERVICE_UNAVAILABLE', 'The connection cannot be read from the database now.', {
      cause,
    });
  }
}
