import type { Connection } from '@temporalio/client';
import type { ToReport } from '../platform/module/define-module.ts';
import { createEngines, type EngineOf } from '../platform/module/derive.ts';
import { connectTemporal } from '../platform/temporal/connect-temporal.ts';
import type { HoldfastDataConverter } from '../platform/temporal/data-converter.ts';
import type { Config } from './config.ts';
import { modules, type AnyModule } from './modules.ts';

/** How long Temporal may take to answer a check of readiness, in milliseconds. */
const readinessMs = 2000;

/** The calls that the API makes to Temporal. */
export type ApiEngine = EngineOf<AnyModule> & {
  /** Rejects when the engine does not answer. */
  checkHealth: () => Promise<unknown>;
  close: () => Promise<void>;
};

interface EngineOptions {
  config: Pick<Config, 'environment' | 'encryptPayloads'>;
  dataConverter: HoldfastDataConverter;
  taskQueue: string;
  toReport: ToReport;
}

/** Creates the calls to Temporal. The first one opens the channel. */
export function connectEngine({ config, dataConverter, taskQueue, toReport }: EngineOptions): ApiEngine {
  const { client, connection } = connectTemporal(config.environment, dataConverter);
  const listsMessages = !config.encryptPayloads;
  return {
    ...createEngines(modules, { client, taskQueue, listsMessages, toReport }),
    checkHealth: () => checkTemporal(connection),
    close: () => connection.close(),
  };
}

function checkTemporal(connection: Connection): Promise<unknown> {
  return connection.withDeadline(Date.now() + readinessMs, () =>
    connection.workflowService.getSystemInfo({}),
  );
}
