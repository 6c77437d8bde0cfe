import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { createConnectionTools } from '../modules/connections/create-connection-tools.ts';
import { chainAfterCommits } from '../platform/outbox/chain-after-commits.ts';
import { connectDatabase, type Database } from '../platform/database/connect-database.ts';
import { getInstallationId } from '../platform/database/installation-repository.ts';
import { createModelStates } from '../platform/database/postgres-model-states.ts';
import { createRateLimiter } from '../platform/database/postgres-rate-limiter.ts';
import { listLastSeqs } from '../modules/turns/events/event-repository.ts';
import { createNotifier, listenForWakeups, type Wakeups } from '../platform/database/wakeups.ts';
import { deliverAfterCommits } from '../modules/webhooks/deliveries/deliver-after-commits.ts';
import { createDependencyState, type DependencyState } from '../platform/lib/dependency-state.ts';
import { createPartFiles } from '../modules/files/create-part-files.ts';
import { createKnowledge } from '../modules/knowledge/create-knowledge.ts';
import { isDatabaseOutage } from '../platform/lib/database-outage.ts';
import type { GuardedFetch } from '../platform/egress/guarded-fetch.ts';
import type { ConnectionReference } from '../engines/mcp/target.ts';
import { createMcpClientManager, type McpClientManager } from '../engines/mcp/mcp-client-manager.ts';
import { payForEmbeddings } from '../modules/credits/pay-for-embeddings.ts';
import { createEmbedder } from '../engines/models/create-embedder.ts';
import { createImageGenerator } from '../engines/models/create-image-generator.ts';
import { testModelKey } from '../engines/models/test-model-key.ts';
import { hostedVendors, localVendors } from '../engines/models/vendor-catalogue.ts';
import { createExecutionRouter } from '../engines/providers/execution-router.ts';
import { openProviders, type ProviderRegistry } from '../engines/providers/registry.ts';
import { createKeyRing } from '../platform/secrets/key-ring.ts';
import { createFunctionRegistry } from '../engines/tools/functions/function-registry.ts';
import { createDeliveryStarter } from '../modules/webhooks/deliveries/start-stored-deliveries.ts';
import { createFetches } from './create-fetches.ts';
import { createFileServices } from './create-file-services.ts';
import { createConnections } from './create-connections.ts';
import { loadOperatorFiles, type OperatorFiles } from './load-operator-files.ts';
import { packageVersion } from './package-version.ts';
import { createProviderFinder } from '../modules/imports/create-provider-finder.ts';
import type { ProviderRef } from '../engines/providers/provider-entry.ts';

/** Parts that the services of a program are built from. */
export interface ServiceOptions {
  config: Config;
  /** The address of a database that has the schema of this version. */
  databaseUrl: string;
  logger: Logger;
  /** @default loaded from the paths of the configuration */
  operatorFiles?: OperatorFiles;
  /** The state of Temporal in the log of this process. @default a new one */
  temporalState?: DependencyState;
}

/** The services that the API and the workers share. */
export type Services = Awaited<ReturnType<typeof createServices>>;

/** Builds the services that the API and the workers share. `close` closes them in the opposite order. */
export async function createServices({ config, databaseUrl, logger, ...options }: ServiceOptions) {
  const operatorFiles = options.operatorFiles ?? (await loadOperatorFiles(config, logger));
  const { functions: own, mcpCatalogue, workflowTargets } = operatorFiles;
  await using stack = new AsyncDisposableStack();
  const deliveryStarter = createDeliveryStarter(logger);
  const { database: opening, databaseState } = openDatabase({ config, databaseUrl, logger });
  const database = deliverAfterCommits(opening, deliveryStarter.start);
  closing(stack, database);
  const installationId = await getInstallationId(database.system);
  const wakeups = closing(stack, await openWakeups(database, databaseUrl));
  closing(stack, databaseState);
  const temporalState = options.temporalState ?? createDependencyState({ name: 'Temporal', logger });
  closing(stack, temporalState);
  const notifier = openNotifier(database, { databaseState, logger });
  stack.defer(notifier.flush);
  const keyRing = createKeyRing(config.encryption);
  const providers = await openProviders();
  const lookup = createProviderLookup({ database, catalogue: providers });
  const { findProviderEntry } = lookup;
  const connectionParts = createConnections({ config, database, keyRing, ...toFinders(providers, lookup) });
  const { connections, connectionAccess } = closing(stack, connectionParts);
  const mcp = closing(
    stack,
    createMcpClientManager({ catalogue: mcpCatalogue, clientVersion: packageVersion }),
  );
  const rateLimiter = createRateLimiter(database.system);
  const modelStates = createModelStates(database.system, {
    onError: (error) => logger.debug({ err: error }, 'the state of a model was not read or written'),
  });
  const { parts: files } = closing(stack, createFileServices(config, database));
  const { resultFiles } = files;
  const { fetchFile, modelFetch, ...fetches } = closing(stack, createFetches(config));
  const stores = { limiter: rateLimiter, resultFiles, fetchFile };
  const router = createExecutionRouter({ registry: providers, findImported: findProviderEntry, ...stores });
  const modelConnections = { open: connectionAccess.openForModel, fetch: modelFetch };
  const makeEmbeddings = createEmbedder(config.models, modelConnections);
  const knowledge = createKnowledge({ database, embed: payForEmbeddings({ database, makeEmbeddings }) });
  const backEnds = {
    ...{ connections: connectionAccess, router, resultFiles, searchKnowledge: knowledge.search },
    generateImage: createImageGenerator(config.models, modelConnections),
  };
  const parts = {
    installationId,
    taskQueue: config.taskQueue ?? `holdfast-${installationId}`,
    ...{ database, databaseState, temporalState, wakeups, notifier, keyRing },
    ...{ providers, ...lookup, connections, connectionAccess, deliveryStarter },
    ...{ mcp, modelStates, rateLimiter, router, modelConnections },
    ...fetches,
    ...{ knowledge, ...files, workflowTargets },
    partFiles: createPartFiles({ database, readFile: files.fileStore.read, readText: knowledge.readText }),
    functions: createFunctionRegistry({ own, backEnds }),
    /** Finds the tools of connections, and tests them. */
    discovery: createConnectionTools({
      ...{ access: connectionAccess, findEntry: findProviderEntry, router, mcp },
      vendors: createModelVendors(modelFetch),
    }),
    releaseConnection: createConnectionRelease(mcp, logger),
  };
  const opened = stack.move();
  return { ...parts, close: () => opened.disposeAsync() };
}

function createModelVendors(fetch: GuardedFetch) {
  return {
    isVendor: (name: string) => hostedVendors.has(name),
    testKey: (key: Omit<Parameters<typeof testModelKey>[0], 'fetch'>) => testModelKey({ ...key, fetch }),
  };
}

function openNotifier(
  database: Database,
  { databaseState, logger }: { databaseState: DependencyState; logger: Logger },
) {
  return createNotifier({
    database,
    onError: (error) => {
      if (isDatabaseOutage(error)) databaseState.failed(error);
      else logger.warn({ err: error }, 'readers were not woken up; they look again by themselves');
    },
  });
}

function closing<Part extends { close: () => Promise<void> }>(stack: AsyncDisposableStack, part: Part): Part {
  stack.defer(() => part.close());
  return part;
}

function openDatabase({
  config,
  databaseUrl: url,
  logger,
}: Pick<ServiceOptions, 'config' | 'databaseUrl' | 'logger'>) {
  const opened = connectDatabase({ url, poolSize: config.database.poolSize });
  const probe = () => opened.system.raw('SELECT 1');
  const databaseState = createDependencyState({ name: 'Postgres', logger, probe });
  const database = chainAfterCommits(opened, (error) => {
    if (isDatabaseOutage(error)) databaseState.failed(error);
    else logger.warn({ err: error }, 'audit events wait for their place in the chain; this is tried again');
  });
  return { database, databaseState };
}

function openWakeups({ system }: Database, url: string): Promise<Wakeups> {
  return listenForWakeups({ url, listLastSeqs: (conversationIds) => listLastSeqs(system, conversationIds) });
}

/** Closes the sessions of a changed or deleted connection, without waiting, after their running calls have ended. */
function createConnectionRelease(mcp: Pick<McpClientManager, 'disconnect'>, logger: Logger) {
  return (connection: ConnectionReference): void => {
    mcp
      .disconnect(connection)
      .catch((error: unknown) =>
        logger.warn({ err: error, ...connection }, 'the sessions of a connection were not closed'),
      );
  };
}

interface LookupOptions {
  database: Pick<Database, 'inWorkspace'>;
  catalogue: ProviderRegistry;
}

/** Builds the finding of providers, and the check of names that connections use for something else. */
function createProviderLookup({ database, catalogue }: LookupOptions) {
  const isReserved = (name: string) => name === 'mcp' || hostedVendors.has(name) || localVendors.has(name);
  return {
    findProviderEntry: createProviderFinder({ database, catalogue, isReserved }),
    isTakenName: (name: string) => isReserved(name) || catalogue.names.has(name),
  };
}

/** The functions by which connections find their providers. */
function toFinders(
  { findEntry }: Pick<ProviderRegistry, 'findEntry'>,
  { findProviderEntry }: Pick<ReturnType<typeof createProviderLookup>, 'findProviderEntry'>,
) {
  return {
    findProvider: async (name: string) => (await findEntry(name))?.provider,
    findImported: async (ref: ProviderRef) => (await findProviderEntry(ref))?.provider,
  };
}
