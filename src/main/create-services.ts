import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { createConnectionTools } from '../connections/create-connection-tools.ts';
import { createConnections } from './create-connections.ts';
import { createKnowledge } from './create-knowledge.ts';
import type { Database } from '../db/connect-database.ts';
import { createRateLimiter } from '../db/postgres-rate-limiter.ts';
import { createBlobStore } from '../db/files/blob-store.ts';
import { createGuardedFetch } from '../egress/guarded-fetch.ts';
import type { McpCatalogue } from '../mcp/catalogue.ts';
import { createMcpClientManager } from '../mcp/mcp-client-manager.ts';
import { createEmbedder } from '../models/create-embedder.ts';
import { createExecutionRouter } from '../providers/execution-router.ts';
import { loadProviders } from '../providers/registry.ts';
import { createConnectionRelease } from '../connections/release-connection.ts';
import { createKeyRing } from '../secrets/key-ring.ts';

interface ServiceParts {
  config: Config;
  database: Database;
  logger: Logger;
  /** The operator's MCP servers, for those who run tools. @default none */
  catalogue?: McpCatalogue;
}

/** In bytes: room for an image in base64, and none for a server of a tenant that fills the memory of all. */
const longestModelAnswer = 64 * 1024 * 1024;

/** What the API and the workers share. */
export type Services = Awaited<ReturnType<typeof createServices>>;

/** Builds what the API and the workers share: keys, connections, the catalogue of providers. */
export async function createServices({ config, database, logger, catalogue = new Map() }: ServiceParts) {
  await using stack = new AsyncDisposableStack();
  const keyRing = createKeyRing(config.encryption);
  const providers = await loadProviders();
  const { findProvider } = providers;
  const { close: closeConnections, ...connections } = createConnections({
    config,
    database,
    keyRing,
    findProvider,
  });
  stack.defer(closeConnections);
  const mcp = createMcpClientManager({ catalogue });
  stack.defer(mcp.close);
  const rateLimiter = createRateLimiter(database.system);
  const router = createExecutionRouter({ registry: providers, limiter: rateLimiter });
  const fetch = createGuardedFetch({ allowLoopback: config.allowLoopback });
  stack.defer(() => fetch.close());
  const access = connections.connectionAccess;
  const discovery = createConnectionTools({ access, registry: providers, router, mcp, fetch });
  // A model may think for long before it says anything: the step that asks it has the time limit.
  const modelFetch = createGuardedFetch({
    ...{ allowLoopback: config.allowLoopback, maxBodyBytes: longestModelAnswer },
    ...{ headersTimeoutMs: 0, bodyTimeoutMs: 0 },
  });
  stack.defer(() => modelFetch.close());
  const modelConnections = { open: connections.connectionAccess.openForModel, fetch: modelFetch };
  const knowledge = createKnowledge({ database, embed: createEmbedder(config.models, modelConnections) });
  const parts = stack.move();
  return {
    keyRing,
    providers,
    rateLimiter,
    /** Runs operations of the catalogue over connections that are open. */
    router,
    /** Finds the tools of connections, and tests them. */
    discovery,
    mcp,
    /** For connections that were changed or removed. */
    releaseConnection: createConnectionRelease(mcp, logger),
    blobs: createBlobStore(database),
    /** For models that are called with the key of a connection. */
    modelConnections,
    knowledge,
    /** `connections` makes and changes them, `connectionAccess` opens them for use. */
    ...connections,
    close: () => parts.disposeAsync(),
  };
}
