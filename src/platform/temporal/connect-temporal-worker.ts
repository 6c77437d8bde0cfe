import { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { NativeConnection } from '@temporalio/worker';
import { loadTemporalConfig } from './connect-temporal.ts';

/**
 * Connects a worker and a client over one channel, so that the worker gets the tasks of workflows that this client
 * starts without delay. The caller closes `connection`.
 */
export async function connectTemporalWorker(environment: NodeJS.ProcessEnv, dataConverter: DataConverter) {
  const { connectionOptions, namespace } = loadTemporalConfig(environment);
  const connection = await NativeConnection.connect(connectionOptions);
  return { connection, namespace, client: new Client({ connection, namespace, dataConverter }) };
}
