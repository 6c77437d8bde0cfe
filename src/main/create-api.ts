import type { AddressInfo } from 'node:net';
import { createToolCheck } from '../engines/tools/check-tool.ts';
import { clientMetadataPath } from '../modules/connections/oauth/client-metadata-routes.ts';
import { countStuckWorkflows } from '../platform/work/stuck-workflow-repository.ts';
import { hasWorker } from '../platform/database/worker-presence.ts';
import type { Door } from '../platform/http/door.ts';
import { createServer } from '../platform/http/server.ts';
import { createImportThreads } from '../modules/imports/import-threads.ts';
import { checkEmbeddingModelName } from '../engines/models/create-embedder.ts';
import { checkToolInputs } from '../engines/tools/check-tool-inputs.ts';
import { schemaChecksOf } from '../engines/tools/json-schema/schema-checks.ts';
import { createModelOffers } from '../engines/models/offered-models.ts';
import { checkModelName, findModelWarning } from '../engines/models/model-name.ts';
import { createDataConverter } from '../platform/temporal/data-converter.ts';
import { authenticateBearer } from '../modules/workspaces/login/authenticate-bearer.ts';
import { createPersonAuthenticator } from '../modules/workspaces/people/authenticate-person.ts';
import { createLogin } from '../modules/workspaces/login/login.ts';
import { authenticateSession } from '../modules/workspaces/login/sessions.ts';
import { createTriggerStarts } from '../modules/triggers/trigger-starts.ts';
import { createOpenStreams } from '../modules/turns/follow/open-streams.ts';
import type { Dependencies } from './api-dependencies.ts';
import type { Config } from './config.ts';
import { awaitStartsBriefly, connectEngine, type ApiEngine } from './connect-engine.ts';
import { createServices, type Services, type ServiceOptions } from './create-services.ts';
import { doors as allDoors } from './doors.ts';
import { createEngineCalls } from './engine-calls.ts';

/** How long the database may take to answer a check of readiness, in milliseconds. */
const readinessMs = 2000;

interface ApiOptions extends ServiceOptions {
  /** @default the Temporal of the configuration, to which a channel is opened */
  engine?: ApiEngine;
  /** Replaces dependencies of the routes, for tests. */
  overrides?: Partial<Dependencies>;
  /** @default the doors of all modules */
  doors?: readonly Door<Dependencies>[];
}

/** The HTTP API of one process. */
export interface HttpApi {
  services: Services;
  /** Listens at the configured host and port. Closes everything when that fails. */
  listen: () => Promise<{ url: string; port: number }>;
  /** Ends open streams, waits for open requests, and closes everything that was opened. */
  close: () => Promise<void>;
}

/**
 * Builds the API: its services, its engine and its routes.
 * @throws HoldfastError `INVALID_INPUT` or `SECRETS_UNAVAILABLE` when the configuration cannot be used
 */
export async function createApi(options: ApiOptions): Promise<HttpApi> {
  await using stack = new AsyncDisposableStack();
  const { config, logger, doors = allDoors } = options;
  const services = await createServices(options);
  stack.defer(services.close);
  const { installationId, taskQueue } = services;
  const dataConverter = createDataConverter({ ...config, installationId });
  const connected = options.engine ?? connectEngine({ config, dataConverter, taskQueue });
  stack.defer(connected.close);
  const calls = createEngineCalls({ logger });
  stack.defer(calls.finish);
  const engine = awaitStartsBriefly(connected, calls, services.temporalState);
  services.deliveryStarter.startWith(engine.startDelivery);
  const findUrl = (): string => toUrl(server.server.address() as AddressInfo);
  const publicUrl = (): string => config.publicUrl ?? findUrl();
  const dependencies = { ...createDependencies(config, services, engine), logger };
  const { startTriggered, finish } = createTriggerStarts({ ...dependencies, ...options.overrides });
  stack.defer(finish);
  const server = await createServer<Dependencies>(
    {
      ...dependencies,
      startTriggered,
      publicUrl,
      clientMetadataUrl: () => config.clientMetadataUrl ?? `${publicUrl()}${clientMetadataPath}`,
      payloadCodec: dataConverter.payloadCodecs[0],
      logger,
      ...options.overrides,
    },
    doors,
  );
  stack.defer(() => server.close());
  const opened = stack.move();
  const close = () => opened.disposeAsync();
  const listen = async () => {
    await server.listen(config.http);
    return { url: findUrl(), port: (server.server.address() as AddressInfo).port };
  };
  return {
    services,
    close,
    listen: () =>
      listen().catch(async (error: unknown) => {
        await close();
        throw error;
      }),
  };
}

type ServerFacts = 'startTriggered' | 'publicUrl' | 'clientMetadataUrl' | 'payloadCodec' | 'logger';

function createDependencies(
  config: Config,
  services: Services,
  engine: ApiEngine,
): Omit<Dependencies, ServerFacts> {
  return {
    ...createAccess(config, services),
    startTurn: engine.startTurn,
    cancelTurn: engine.cancelTurn,
    notifyDecision: engine.notifyDecision,
    checksOf: schemaChecksOf,
    startIngestion: engine.startIngestion,
    startDelivery: engine.startDelivery,
    startReplay: engine.startReplay,
    schedules: engine.schedules,
    startRoutine: engine.startRoutine,
    wakeRoutine: engine.wakeRoutine,
    readRoutine: engine.readRoutine,
    controlRoutine: engine.controlRoutine,
    startSwarm: engine.startSwarm,
    keyRing: services.keyRing,
    webhookFetch: services.webhookFetch,
    isReady: () => findReadiness(services, engine),
    database: services.database,
    databaseState: services.databaseState,
    rateLimiter: services.rateLimiter,
    notifier: services.notifier,
    wakeups: services.wakeups,
    openStreams: createOpenStreams({
      database: services.database,
      mostPerKey: config.streamsPerKey,
      mostPerWorkspace: config.streamsPerWorkspace,
    }),
    apiKeysPerWorkspace: config.apiKeysPerWorkspace,
    checkModelName: (name, options) => checkModelName(config.models, name, options),
    checkTools: checkToolInputs,
    findModelWarning: (name, options) => findModelWarning(config.models, name, options),
    listModelOffers: createModelOffers(config.models),
    modelStates: services.modelStates,
    fileStore: services.fileStore,
    fileStorage: services.fileStorage,
    fileLimits: services.fileLimits,
    countPages: services.countPages,
    scanFile: services.scanFile,
    checkTool: createToolCheck(services),
    functions: services.functions,
    connections: services.connections,
    releaseConnection: services.releaseConnection,
    discovery: services.discovery,
    // Without a catalogue this process does not know the MCP servers of the workers, and checks no names.
    ...(config.mcpConfigPath === undefined ? {} : { mcpServers: services.mcp.servers() }),
    providers: services.providers,
    findProviderEntry: services.findProviderEntry,
    isTakenName: services.isTakenName,
    importFetch: services.importFetch,
    runImportTask: createImportThreads(),
    workflowTypes: services.workflowTargets,
    checkEmbeddingModel: (name, options) => checkEmbeddingModelName(config.models, name, options),
    searchKnowledge: services.knowledge.search,
  };
}

/** The origins of pages, and how callers are authenticated. */
function createAccess({ apiOrigins, codecOrigins, identityProviders }: Config, { database }: Services) {
  const authenticatePerson =
    identityProviders.length > 0 ? createPersonAuthenticator({ database }, identityProviders) : undefined;
  return {
    ...{ apiOrigins, codecOrigins },
    authenticateBearer: (text: string) => authenticateBearer({ database, authenticatePerson }, text),
    authenticateSession: (secret: string) => authenticateSession({ database }, secret),
    ...(authenticatePerson && { login: createLogin(identityProviders, authenticatePerson) }),
  };
}

/** Returns the address of the API for a browser on this machine. */
function toUrl({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

async function findReadiness({ database, databaseState }: Services, engine: ApiEngine) {
  const [db, temporal] = await Promise.allSettled([
    withinTime(Promise.all([hasWorker(database.system), countStuckWorkflows(database.system)])),
    engine.checkHealth(),
  ]);
  if (db.status === 'rejected') databaseState.failed(db.reason);
  const [worker, stuckWorkflows] = db.status === 'fulfilled' ? db.value : [false, 0];
  return {
    database: db.status === 'fulfilled',
    temporal: temporal.status === 'fulfilled',
    ...{ worker, stuckWorkflows },
  };
}

function withinTime<Result>(work: PromiseLike<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('this took too long')), readinessMs);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
