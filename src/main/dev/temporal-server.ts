import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { toBareEnvironment } from './bare-environment.ts';
import { describeEnding, readLogTail, startProcess, type ManagedProcess } from './processes.ts';
import { toDatabaseFlags, toTemporalFlags } from './temporal-flags.ts';

const startTimeoutMs = 60_000;
const pollMs = 100;

/** How often the server is started again after a lost port. */
const otherStarts = 2;

const portIsTaken = 'address already in use';

interface TemporalServerOptions {
  binary: string;
  port: number;
  /** The port of the Web UI; without it there is no Web UI. */
  uiPort?: number;
  /** The file for its data; without it all data are lost when the server stops. */
  databaseFile?: string;
  logFile: string;
  environment: NodeJS.ProcessEnv;
  /** See `ProcessOrder`. */
  noteFolder?: string;
  /** More arguments for `temporal server start-dev`. */
  extraArguments?: string[];
}

/** A Temporal development server that answers. */
export interface TemporalServer {
  address: string;
  namespace: string;
  /** The address of the Web UI. */
  ui?: string;
  process: ManagedProcess;
  stop: () => Promise<void>;
}

/**
 * Starts a Temporal development server on the loopback address, with the flags of `temporal-flags.ts`, and
 * waits until it is healthy. Its HTTP and metrics ports are free ones that it picks itself.
 * @throws Error with the end of its log when it does not come up
 */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  const address = `127.0.0.1:${options.port}`;
  const server = await startHealthy(options, address, otherStarts);
  return {
    address,
    namespace: 'default',
    ...(options.uiPort === undefined ? {} : { ui: `http://127.0.0.1:${options.uiPort}` }),
    process: server,
    stop: async () => {
      await server.stop();
    },
  };
}

/** Starts the server again when an outgoing connection of another program took one of the ports that it had picked. */
async function startHealthy(
  options: TemporalServerOptions,
  address: string,
  startsLeft: number,
): Promise<ManagedProcess> {
  const server = await startProcess({
    name: 'Temporal',
    file: options.binary,
    arguments: toArguments(options),
    // The CLI would also take settings from TEMPORAL_ variables, which are meant for clients.
    environment: toBareEnvironment(options.environment),
    output: { logFile: options.logFile },
    ...(options.noteFolder === undefined ? {} : { noteFolder: options.noteFolder }),
  });
  try {
    await waitUntilHealthy(address, server, options);
    return server;
  } catch (error) {
    const lostPort =
      server.ending() !== undefined && readFileSync(options.logFile, 'utf8').includes(portIsTaken);
    await server.stop();
    if (lostPort && startsLeft > 0) return await startHealthy(options, address, startsLeft - 1);
    throw error;
  }
}

function toArguments({ port, uiPort, databaseFile, extraArguments = [] }: TemporalServerOptions): string[] {
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--log-level', 'warn'],
    ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]),
    ...(databaseFile === undefined ? [] : toDatabaseFlags(databaseFile)),
    ...toTemporalFlags(),
    ...extraArguments,
  ];
}

async function waitUntilHealthy(
  address: string,
  server: ManagedProcess,
  { logFile, databaseFile }: TemporalServerOptions,
): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const ending = server.ending();
    if (ending !== undefined) {
      const problem = `Temporal ended with ${describeEnding(ending)} while it started:\n${readLogTail(logFile)}`;
      throw new Error(databaseFile === undefined ? problem : `${problem}\n${toDataAdvice(databaseFile)}`);
    }
    if (await isHealthy(address)) return;
    if (Date.now() > deadline) {
      throw new Error(`Temporal is not healthy after ${startTimeoutMs / 1000} s:\n${readLogTail(logFile)}`);
    }
    await sleep(pollMs);
  }
}

function toDataAdvice(databaseFile: string): string {
  return (
    `If its data in ${databaseFile} are damaged, move that file away (and those beside it that end in -wal and ` +
    '-shm): conversations and turns are in Postgres. Nothing was changed.'
  );
}

async function isHealthy(address: string): Promise<boolean> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({ address, connectTimeout: '2s' });
    const current = connection;
    return await current.withDeadline(Date.now() + 2000, async () => {
      await current.workflowService.describeNamespace({ namespace: 'default' });
      return true;
    });
  } catch {
    return false;
  } finally {
    await connection?.close();
  }
}
