import type { AddressInfo } from 'node:net';
import type { Connection } from '@temporalio/client';
import type { Logger } from 'pino';
import { createToolCheck } from '../agents/check-tool.ts';
import { loadConfig, requireDatabaseUrl, type Config } from './config.ts';
import { loadFunctionRegistry } from './create-functions.ts';
import { createServices } from './create-services.ts';
import { connectDatabase, type Database } from '../db/connect-database.ts';
import { migrateDatabase } from '../db/migrate.ts';
import { createNotifier, listenForWakeups } from '../db/wakeups.ts';
import { createServer } from '../http/server/server.ts';
import { createLogger } from './logger.ts';
import { joinRunning } from './running.ts';
import { onStop } from './stop-signals.ts';
import { checkEmbeddingModelName } from '../models/create-embedder.ts';
import { loadMcpCatalogue } from '../mcp/catalogue.ts';
import { checkModelName } from '../models/model-name.ts';
import { connectTemporal } from '../temporal/connect-temporal.ts';
import { createDataConverter } from '../temporal/data-converter.ts';
import { createIngestionEngine } from '../temporal/ingestion-engine.ts';
import { createTurnEngine } from '../temporal/turn-engine.ts';
import { createWorkflowTargets, loadWorkflowCatalogue } from '../tools/workflow-catalogue.ts';

/** How long a part may take to say that it is there, in milliseconds. */
const readinessMs = 2000;

async function startApi(config: Config, logger: Logger): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const databaseUrl = requireDatabaseUrl(config);
  const dataConverter = createDataConverter(config);
  const functions = (await loadFunctionRegistry({ config, logger }))();
  await migrateDatabase(databaseUrl);
  const database = connectDatabase({ url: databaseUrl, poolSize: config.database.poolSize });
  stack.defer(database.close);
  const services = await createServices({ config, database, logger });
  stack.defer(services.close);
  const wakeups = await listenForWakeups(databaseUrl);
  stack.defer(wakeups.close);
  const onError = (error: unknown) => logger.warn({ err: error }, 'readers were not woken up');
  const notifier = createNotifier({ database, onError });
  stack.defer(notifier.flush);
  const { client, connection } = await connectTemporal(config.environment, dataConverter);
  stack.defer(() => connection.close());
  const server = await createServer({
    ...createTurnEngine({ client, taskQueue: config.taskQueue }),
    database,
    notifier,
    wakeups,
    checkModelName: (name, options) => checkModelName(config.models, name, options),
    checkTool: createToolCheck(functions),
    functions,
    connections: services.connections,
    releaseConnection: services.releaseConnection,
    discovery: services.discovery,
    ...(await findMcpServers(config)),
    providers: services.providers,
    publicUrl: () => config.publicUrl ?? toOwnUrl(server.server.address() as AddressInfo),
    workflowTypes: createWorkflowTargets(await loadWorkflowCatalogue(config.workflowsConfigPath)),
    checkEmbeddingModel: (name, options) => checkEmbeddingModelName(config.models, name, options),
    searchKnowledge: services.knowledge.search,
    startIngestion: createIngestionEngine({ client, taskQueue: config.taskQueue }).startIngestion,
    payloadCodec: dataConverter.payloadCodecs[0],
    codecOrigins: config.codecOrigins,
    isReady: () => findReadiness(database, connection),
    logger,
  });
  stack.defer(() => server.close());
  await server.listen(config.http);
  const parts = stack.move();
  const stop = () => void parts.disposeAsync().finally(() => process.connected && process.disconnect());
  onStop(stop);
  const { port } = server.server.address() as AddressInfo;
  logger.info({ host: config.http.host, port }, 'the API is ready');
  process.send?.({ type: 'ready', port });
}

/** What is checked when a tool names a server of the operator's catalogue; nothing where this program is not told of one. */
async function findMcpServers({ mcpConfigPath: path, environment: env }: Config) {
  return path === undefined ? {} : { mcpServers: [...(await loadMcpCatalogue({ path, env })).keys()] };
}

/** Where a browser on this machine reaches the API, whatever it listens on. */
function toOwnUrl({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

async function findReadiness(database: Database, connection: Connection) {
  const [db, temporal] = await Promise.allSettled([
    withinTime(database.system.raw('SELECT 1')),
    connection.withDeadline(Date.now() + readinessMs, () => connection.workflowService.getSystemInfo({})),
  ]);
  return { database: db.status === 'fulfilled', temporal: temporal.status === 'fulfilled' };
}

function withinTime<Result>(work: PromiseLike<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('this took too long')), readinessMs);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

const config = joinRunning(loadConfig());
const logger = createLogger(config, 'api');
try {
  await startApi(config, logger);
} catch (error) {
  logger.fatal({ err: error }, 'the API cannot run');
  process.exitCode = 1;
  if (process.connected) process.disconnect();
}
