import path from 'node:path';
import { Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { Config } from '../config.ts';
import { findTemporal } from './find-temporal.ts';
import { findPort } from './ports.ts';
import type { ManagedProcess } from './processes.ts';
import { registerSearchAttributes } from '../../platform/temporal/register-search-attributes.ts';
import type { Say } from './say.ts';
import { startTemporalServer } from './temporal-server.ts';
import { searchAttributes } from './temporal-flags.ts';

const preferredPort = 7233;
const preferredUiPort = 8233;

/** The Temporal server that `npm start` uses. */
export interface TemporalService {
  address: string;
  namespace: string;
  ui?: string;
  /** The environment variables with its address; empty when clients have the address already. */
  variables: Record<string, string>;
  /** Its process; undefined for a server that was running before. */
  process?: ManagedProcess;
}

interface StartTemporalOptions {
  config: Config;
  noteFolder: string;
  say: Say;
  signal: AbortSignal;
}

/** Uses the Temporal server of the `TEMPORAL_…` variables or profile when they name one, or else starts one. */
export async function startTemporal(options: StartTemporalOptions): Promise<TemporalService> {
  return (await useConfigured(options)) ?? startOwn(options);
}

async function useConfigured({ config, say }: StartTemporalOptions): Promise<TemporalService | undefined> {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig({
    overrideEnvVars: toDefined(config.environment),
  });
  const { address } = connectionOptions;
  if (address === undefined) return undefined;
  say(`Using the Temporal at ${address} …`);
  const connection = await connect(connectionOptions, address);
  try {
    const added = await registerSearchAttributes(connection, namespace);
    if (added.length > 0) say(`Registered the search attributes ${added.join(', ')}.`);
  } catch (error) {
    const names = Object.keys(searchAttributes).join(', ');
    const reason = error instanceof Error ? error.message : String(error);
    say(
      `The search attributes ${names} (Keyword) could not be looked up or registered in "${namespace}": ${reason}`,
    );
    say('Register them with the tools of that cluster, or turns cannot start.');
  } finally {
    await connection.close();
  }
  const ui = config.temporalUiUrl;
  return { address, namespace, ...(ui === undefined ? {} : { ui }), variables: {} };
}

async function connect(
  connectionOptions: ReturnType<typeof loadClientConnectConfig>['connectionOptions'],
  address: string,
): Promise<Connection> {
  try {
    return await Connection.connect({ ...connectionOptions, connectTimeout: '10s' });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The Temporal at ${address} (TEMPORAL_ADDRESS or profile) does not answer: ${reason}`, {
      cause,
    });
  }
}

async function startOwn({ config, noteFolder, say, signal }: StartTemporalOptions): Promise<TemporalService> {
  // `PORT=0` asks for any free port, of everything that is started.
  const prefer = (port: number) => (config.http.port === 0 ? 0 : port);
  const { temporalCli, cacheDir, environment, dataDir } = config;
  const binary = await findTemporal({ temporalCli, cacheDir, environment, say, signal });
  const server = await startTemporalServer({
    binary,
    port: await findPort({ name: 'Temporal', preferred: prefer(preferredPort), say, dataDir }),
    uiPort: await findPort({ name: 'the Temporal Web UI', preferred: prefer(preferredUiPort), say, dataDir }),
    databaseFile: path.join(dataDir, 'temporal.db'),
    logFile: path.join(dataDir, 'logs', 'temporal.log'),
    environment,
    noteFolder,
  });
  const { address, namespace, ui } = server;
  const variables = {
    ...{ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, TEMPORAL_TLS: 'false' },
    ...(ui === undefined || config.temporalUiUrl !== undefined ? {} : { HOLDFAST_TEMPORAL_UI_URL: ui }),
  };
  return { address, namespace, ...(ui === undefined ? {} : { ui }), variables, process: server.process };
}

function toDefined(environment: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(environment).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return Object.fromEntries(entries) as Record<string, string>;
}
