import path from 'node:path';
import { withLock } from '#lock';
import type { Config } from '../config.ts';
import { startDemoTools } from './demo-tools.ts';
import type { Development } from './development.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts';
import { writeEnvironmentFile } from './environment-file.ts';
import { findOwnAgent } from './own-agent.ts';
import { stopLeftovers } from './process-notes.ts';
import type { Running } from '../running.ts';
import { claimDataFolder, keepRunning } from './running-file.ts';
import type { Say } from './say.ts';
import { startPrograms, type Programs, type RunningPrograms } from './start-programs.ts';
import { startTemporal } from './start-temporal.ts';
import { supervise, type Supervision } from './supervise.ts';
import { toBanner } from './to-banner.ts';
import { watchCode } from './watch-code.ts';

interface RunDevelopmentOptions {
  config: Config;
  programs: Programs;
  worker: boolean;
  /** Whether the agents of the code are pushed when their files are saved. @default false */
  push?: boolean;
  /** Whether all that the programs log is shown. @default false */
  verbose?: boolean;
  say: Say;
  /** Aborted to stop everything. */
  signal: AbortSignal;
  prepareDatabase: (database: { databaseUrl: string; config: Config }) => Promise<Development>;
  /** Called with the address of the API and the development key when everything runs. */
  onReady?: (ready: { origin: string; apiKey: string }) => void;
}

/**
 * Starts all programs over a data folder, prints their addresses, and stops them when the signal is aborted.
 * @throws Error when a program does not start, or ends without being stopped; all others have been stopped by then
 */
export async function runDevelopment(options: RunDevelopmentOptions): Promise<void> {
  const { config, say, signal } = options;
  await using stack = new AsyncDisposableStack();
  stack.defer(claimDataFolder(config.dataDir));
  const supervision = supervise(options);
  stack.defer(supervision.stopAll);
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const running = await startAlone(options, supervision);
  signal.throwIfAborted();
  const { programs, seed } = running;
  stack.defer(keepRunning(config.dataDir, running.toFile));
  supervision.revive({
    worker: { restart: () => programs.restart('worker'), consequence: 'Accepted turns wait.' },
    api: { restart: () => programs.restart('api'), consequence: 'Turns go on.' },
  });
  const file = running.toFile();
  stack.defer(writeEnvironmentFile(config.dataDir, { file, seed }));
  const pushing = pushCode(options, { stack, running });
  const agent = await Promise.race([pushing, stopped.then(() => null)]);
  signal.throwIfAborted();
  say(toBanner({ file, seed, dataDir: config.dataDir, worker: options.worker, agent }));
  options.onReady?.({ origin: file.api, apiKey: seed.apiKey });
  await Promise.race([stopped, supervision.failed]);
}

interface Started {
  seed: Development;
  programs: RunningPrograms;
}

/** Pushes the agents of the code, now and whenever they change. Returns the name of one of them, null without any. */
async function pushCode(
  { config, say, push, programs: { cli } }: RunDevelopmentOptions,
  { stack, running }: { stack: AsyncDisposableStack; running: Started },
): Promise<string | null> {
  if (!push || cli === undefined) return null;
  const { programs, seed } = running;
  const { apiKey } = seed;
  const { pushed, stop } = watchCode({ config, say, cli, apiKey, running: programs });
  stack.defer(stop);
  await pushed;
  return findOwnAgent(programs.origin, apiKey).catch(() => null);
}

/** One start of this user at a time chooses its ports: two parallel starts would find the same ports free. */
function startAlone(options: RunDevelopmentOptions, supervision: Supervision) {
  const lock = path.join(options.config.cacheDir, 'start.lock');
  return withLock(lock, 'Another npm start is choosing its ports', () => {
    options.signal.throwIfAborted();
    return startAll(options, supervision);
  });
}

async function startAll(options: RunDevelopmentOptions, supervision: Supervision) {
  const { config, signal } = options;
  const noteFolder = path.join(config.dataDir, 'processes');
  await stopLeftovers(noteFolder, options.say);
  const services = await startServices({ ...options, noteFolder }, supervision);
  signal.throwIfAborted();
  const seed = await options.prepareDatabase({ databaseUrl: services.databaseUrl, config });
  signal.throwIfAborted();
  const programs = await startPrograms({
    ...options,
    noteFolder,
    variables: {
      ...services.temporal.variables,
      DATABASE_URL: services.databaseUrl,
      HOLDFAST_MCP_CONFIG: services.mcpConfig,
    },
    onStarted: (managed) => supervision.watch(managed, { graceMs: 12_000 }),
  });
  const startedAt = new Date().toISOString();
  return { toFile: () => toRunning(config, { services, programs, startedAt }), seed, programs };
}

type Services = Awaited<ReturnType<typeof startServices>>;

async function startServices(
  options: RunDevelopmentOptions & { noteFolder: string },
  { watch }: Supervision,
) {
  const { config, say, noteFolder } = options;
  const { dataDir, environment } = config;
  // When one start fails, the others abort, so that none continues with a long build.
  const failure = new AbortController();
  const givingUp = AbortSignal.any([options.signal, failure.signal]);
  const startPostgres = async () => {
    if (config.database.url !== undefined) return undefined;
    const postgres = await startEmbeddedPostgres({
      ...{ dataDir, environment, say },
      ...(config.http.port === 0 && { preferredPort: 0 }),
    });
    watch(postgres.process, postgres.stopManner);
    return postgres;
  };
  const startEngine = async () => {
    const temporal = await startTemporal({ ...options, signal: givingUp });
    if (temporal.process) watch(temporal.process);
    return temporal;
  };
  const startTools = async () => {
    if (config.mcpConfigPath !== undefined) return undefined;
    const tools = await startDemoTools({ dataDir, environment, noteFolder });
    if (tools.process) watch(tools.process);
    return tools;
  };
  const starts = [startPostgres(), startEngine(), startTools()] as const;
  for (const start of starts) start.catch((error: unknown) => failure.abort(error));
  // Waits for all, so that the started ones are known and stopped when another one failed.
  await Promise.allSettled(starts);
  failure.signal.throwIfAborted();
  const [postgres, temporal, tools] = await Promise.all(starts);
  return {
    postgres,
    temporal,
    tools,
    databaseUrl: toDatabaseUrl(config, postgres),
    mcpConfig: tools?.mcpConfigPath ?? path.resolve(config.mcpConfigPath ?? ''),
  };
}

function toDatabaseUrl(config: Config, postgres: EmbeddedPostgres | undefined): string {
  const url = config.database.url ?? postgres?.url;
  if (url === undefined) throw new Error('There is no database.');
  return url;
}

interface RunningParts {
  services: Services;
  programs: RunningPrograms;
  startedAt: string;
}

function toRunning(
  { encryption, encryptPayloads, environment }: Config,
  { services, programs: { origin, current }, startedAt }: RunningParts,
): Running {
  const { api, worker } = current();
  const { temporal, postgres, tools, databaseUrl, mcpConfig } = services;
  const { address, namespace, ui } = temporal;
  return {
    api: origin,
    console: origin,
    temporal: { address, namespace, ...(ui === undefined ? {} : { ui }) },
    postgres: { url: databaseUrl },
    mcpConfig,
    encryptionKeysFile: encryption.file,
    encryptPayloads,
    allowLoopback: environment['HOLDFAST_ALLOW_LOOPBACK'],
    pids: {
      dev: process.pid,
      ...(api && { api: api.pid }),
      ...(worker && { worker: worker.pid }),
      ...(temporal.process && { temporal: temporal.process.pid }),
      ...(postgres && { postgres: postgres.process.pid }),
      ...(tools?.process && { mcp: tools.process.pid }),
    },
    joined: [],
    startedAt,
  };
}
