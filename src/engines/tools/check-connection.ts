import { HoldfastError, type FieldError } from '../../domain/errors.ts';
import type { ToolLookups } from './tool-type.ts';

/** The connection that the `config` of a tool names. */
interface NamedConnection {
  connectionId: string;
  provider: string | undefined;
  /** The connector that the tool was provisioned from, if it was. */
  connectorId?: string | undefined;
}

/**
 * Checks that a connection may be used by a tool: that it is active, of the provider that the tool names, and that of
 * its connector.
 * @throws HoldfastError `CONNECTION_ACCESS_DENIED` or `CONNECTION_NOT_ACTIVE`
 */
export async function checkConnection(
  { getConnection, findConnector }: ToolLookups,
  { connectionId, provider, connectorId }: NamedConnection,
): Promise<FieldError[]> {
  const connection = await getConnection(connectionId);
  if (provider !== connection.provider) return [toProviderError(provider, connection.provider)];
  if (connection.status !== 'active') {
    const message = `Connection ${connection.name} is ${connection.status}. Please reconnect.`;
    throw new HoldfastError('CONNECTION_NOT_ACTIVE', message);
  }
  if (connectorId === undefined) return [];
  const connector = await findConnector(connectorId);
  if (connector?.connectionId === connectionId) return [];
  return [{ field: 'config.connectorId', message: 'expected the connector of this connection' }];
}

function toProviderError(expected: string | undefined, actual: string): FieldError {
  const message =
    expected === undefined
      ? `expected the provider of the connection, "${actual}", found nothing`
      : `Connection provider mismatch: expected ${expected}, got ${actual}`;
  return { field: 'config.provider', message };
}
