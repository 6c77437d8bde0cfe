import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import getPort, { portNumbers } from 'get-port';
import { toBareEnvironment } from '../../src/main/dev/bare-environment.ts';
import {
  describeEnding,
  readLogTail,
  startProcess,
  type ManagedProcess,
} from '../../src/main/dev/processes.ts';
import { clusterDatabases, createClusterDatabases } from './cluster-database.ts';
import {
  clusterServices,
  toClusterConfig,
  toDynamicConfigFile,
  type ServicePorts,
} from './cluster-config.ts';
import type { Engine, EngineOptions } from './engine.ts';
import { findClusterBinaries } from './install-cluster.ts';
import { registerNamespace } from './register-namespace.ts';

const startTimeoutMs = 90_000;
const pollMs = 500;
const firstPort = 17_233;
const lastPort = 18_232;

/** Starts a full Temporal server on Postgres. Returns null, after printing the reason, when there is none. */
export async function startCluster(options: EngineOptions): Promise<Engine | null> {
  const { folder, databaseUrl, environment, say } = options;
  const binaries = await findClusterBinaries(options);
  if (binaries === null) return null;
  say('Setting up the databases of temporal-server (usually 5 seconds) …');
  await createClusterDatabases(databaseUrl, binaries.sqlTool);
  const { configFolder, address } = await writeConfig(options);
  const logFile = path.join(folder, 'temporal-server.log');
  const server = await startProcess({
    name: 'temporal-server',
    file: binaries.server,
    arguments: [
      '--root',
      folder,
      '--config',
      path.basename(configFolder),
      '--env',
      'bench',
      '--allow-no-auth',
      'start',
    ],
    environment: toBareEnvironment(environment),
    output: { logFile },
  });
  try {
    await waitUntilRegistered(address, server, logFile);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    address,
    process: server,
    stop: async () => {
      await server.stop();
    },
  };
}

async function writeConfig({ folder, databaseUrl }: EngineOptions) {
  const configFolder = path.join(folder, 'temporal-config');
  const dynamicConfigFile = path.join(configFolder, 'dynamic.yaml');
  mkdirSync(configFolder, { recursive: true, mode: 0o700 });
  const ports = await findPorts();
  const { hostname, port, username, password } = new URL(databaseUrl);
  const postgres = { host: hostname, port, user: username, password: decodeURIComponent(password) };
  const config = toClusterConfig({
    ...{ postgres, ports, dynamicConfigFile },
    databases: clusterDatabases,
  });
  writeFileSync(path.join(configFolder, 'bench.yaml'), config, { mode: 0o600 });
  writeFileSync(dynamicConfigFile, toDynamicConfigFile());
  return { configFolder, address: `127.0.0.1:${ports.frontend.grpcPort}` };
}

/** Finds low ports: the server stores its ports in a signed 16-bit column, which the system's free ports exceed. */
async function findPorts() {
  const ports = {} as Record<(typeof clusterServices)[number], ServicePorts>;
  const findNext = () => getPort({ port: portNumbers(firstPort, lastPort), host: '127.0.0.1' });
  for (const name of clusterServices) {
    ports[name] = { grpcPort: await findNext(), membershipPort: await findNext() };
  }
  return ports;
}

async function waitUntilRegistered(address: string, server: ManagedProcess, logFile: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    try {
      await registerNamespace(address);
      return;
    } catch (error) {
      const ending = server.ending();
      const state = ending ? `ended with ${describeEnding(ending)}` : 'does not answer';
      if (ending !== undefined || Date.now() > deadline) {
        throw new Error(`temporal-server ${state}:\n${readLogTail(logFile).slice(-2000)}`, { cause: error });
      }
    }
    await sleep(pollMs);
  }
}
