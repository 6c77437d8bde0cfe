import type { AddressInfo } from 'node:net';
import { clientMetadataPath } from '../modules/connections/oauth/client-metadata-routes.ts';
import { countStuckWorkflows } from '../platform/work/stuck-workflow-repository.ts';
import { createToTemporalUrl } from '../domain/workflow-link.ts';
import { hasWorker } from '../platform/database/worker-presence.ts';
import type { Door } from '../platform/http/door.ts';
import { createTurnStarter } from '../modules/turns/direct/create-turn-starter.ts';
import { createServer } from '../platform/http/server.ts';
import type { ToReport } from '../platform/module/define-module.ts';
import { createApiParts } from '../platform/module/derive.ts';
import { createDataConverter } from '../platform/temporal/data-converter.ts';
import { loadTemporalConfig } from '../platform/temporal/connect-temporal.ts';
import { watchTemporal } from '../platform/temporal/watch-temporal.ts';
import { createTriggerStarts } from '../modules/triggers/trigger-starts.ts';
import type { Dependencies } from './api-dependencies.ts';
import { connectEngine, type ApiEngine } from './connect-engine.ts';
import { createServices, type Services, type ServiceOptions } from './create-services.ts';
import { findConsole } from './find-console.ts';
import { doors as allDoors } from './doors.ts';
import { createEngineCalls } from './engine-calls.ts';
import { modules } from './modules.ts';

/** How long the database may take to answer a check of readiness, in milliseconds. */
const readinessMs = 2000;

interface ApiOptions extends ServiceOptions {
  /** Creates the calls to Temporal. @default those to the Temporal of the configuration, to which a channel is opened */
  connect?: (parts: { toReport: ToReport }) => ApiEngine;
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
  const { installationId, taskQueue, temporalState } = services;
  const dataConverter = createDataConverter({ ...config, installationId });
  const calls = createEngineCalls({ logger });
  const toReport: ToReport = (name, call) => calls.awaitBriefly(name, watchTemporal(call, temporalState));
  const engine =
    options.connect?.({ toReport }) ?? connectEngine({ config, dataConverter, taskQueue, toReport });
  stack.defer(engine.close);
  stack.defer(calls.finish);
  services.deliveryStarter.startWith(engine.startDelivery);
  const findUrl = (): string => toUrl(server.server.address() as AddressInfo);
  const publicUrl = (): string => config.publicUrl ?? findUrl();
  const { startTurn, offerTo } = createTurnStarter(engine.startTurn);
  offerTo((input) => services.notifier.offer(JSON.stringify(input)));
  const ofModules = createApiParts(modules, { ...services, config });
  const parts = { ...services, ...engine, ...ofModules, startTurn, logger };
  const { startTriggered, finish } = createTriggerStarts({ ...parts, ...options.overrides });
  stack.defer(finish);
  const server = await createServer<Dependencies>(
    {
      ...parts,
      startTriggered,
      isReady: () => findReadiness(services, engine),
      publicUrl,
      clientMetadataUrl: () => config.clientMetadataUrl ?? `${publicUrl()}${clientMetadataPath}`,
      consoleFolder: findConsole(),
      ...{ apiOrigins: config.apiOrigins, codecOrigins: config.codecOrigins },
      toTemporalUrl: createToTemporalUrl({
        url: config.temporalUiUrl,
        namespace: loadTemporalConfig(config.environment).namespace,
      }),
      payloadCodec: dataConverter.payloadCodecs[0],
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
