import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect-database.ts';
import type { ToolDiscovery } from '../../domain/discovered-tool.ts';
import type { ConnectionParts } from './connection-parts.ts';

/** Everything that the use cases of connections and connectors need from the rest of the program. */
export interface ConnectionDependencies {
  database: Database;
  connections: ConnectionParts;
  /** The names of the servers in the operator's MCP catalogue. @default none */
  mcpServers?: readonly string[];
  /** Closes the sessions that this process holds open over a connection that was changed or deleted. */
  releaseConnection: (connection: { workspaceId: string; connectionId: string }) => void;
  /** Where browsers reach the API, without a slash at the end. */
  publicUrl: () => string;
  /** Where authorization servers read the metadata of Holdfast as an OAuth client. */
  clientMetadataUrl: () => string;
  discovery: ToolDiscovery;
  logger: Logger;
}
