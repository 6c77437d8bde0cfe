import { Client, Connection } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';

/** How to reach Temporal, from the standard `TEMPORAL_…` variables and `temporal.toml` profiles. */
export function loadTemporalConfig(environment: NodeJS.ProcessEnv) {
  const variables = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig({
    overrideEnvVars: Object.fromEntries(variables),
  });
  return { connectionOptions, namespace };
}

/** Connects a client. The connection is to be closed by who asked for it. */
export async function connectTemporal(environment: NodeJS.ProcessEnv, dataConverter: DataConverter) {
  const { connectionOptions, namespace } = loadTemporalConfig(environment);
  const connection = await Connection.connect(connectionOptions);
  return { connection, namespace, client: new Client({ connection, namespace, dataConverter }) };
}

/** Connects a worker, and a client on the same connection: starts by this client reach this worker at once. */
export async function connectTemporalWorker(environment: NodeJS.ProcessEnv, dataConverter: DataConverter) {
  const { connectionOptions, namespace } = loadTemporalConfig(environment);
  const connection = await NativeConnection.connect(connectionOptions);
  return { connection, namespace, client: new Client({ connection, namespace, dataConverter }) };
}
