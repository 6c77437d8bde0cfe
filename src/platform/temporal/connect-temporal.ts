import { Client, Connection } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { loadClientConnectConfig } from '@temporalio/envconfig';

/** Reads the address of Temporal from the standard `TEMPORAL_…` variables and `temporal.toml` profiles. */
export function loadTemporalConfig(environment: NodeJS.ProcessEnv) {
  const variables = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig({
    overrideEnvVars: Object.fromEntries(variables),
  });
  return { connectionOptions, namespace };
}

/**
 * Creates a client that connects with its first request, so that a program starts while Temporal is unreachable. The caller
 * closes `connection`.
 */
export function connectTemporal(environment: NodeJS.ProcessEnv, dataConverter: DataConverter) {
  const { connectionOptions, namespace } = loadTemporalConfig(environment);
  const connection = Connection.lazy(connectionOptions);
  return { connection, namespace, client: new Client({ connection, namespace, dataConverter }) };
}
