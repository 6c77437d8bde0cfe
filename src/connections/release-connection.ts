import type { Logger } from 'pino';
import type { ConnectionReference } from '../mcp/target.ts';
import type { McpClientManager } from '../mcp/mcp-client-manager.ts';

/** Lets go of what a process holds open over a connection; calls under way end first, which nobody waits for. */
export function createConnectionRelease(
  mcp: Pick<McpClientManager, 'disconnect'>,
  logger: Pick<Logger, 'warn'>,
): (connection: ConnectionReference) => void {
  return (connection) => {
    mcp
      .disconnect(connection)
      .catch((error: unknown) => logger.warn({ err: error, ...connection }, 'a connection was not let go'));
  };
}
