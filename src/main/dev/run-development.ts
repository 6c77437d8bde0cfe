import path from 'node:path';
import { withLock } from '#lock';
import type { Config } from '../config.ts';
import { startDemoTools } from './demo-tools.ts';
import type { Development } from './development.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts';
import { stopLeftovers } from './process-notes.ts';
import { describeEnding, type ManagedProcess, type StopManner } from './processes.ts';
import type { Running } from '../running.ts';
import { claimDataFolder, keepRunning } from './running-file.ts';
import type { Say } from './say.ts';
import { startPrograms, type Programs } from './start-programs.ts';
import { startTemporal } from './start-temporal.ts';
import { toBanner } from './to-banner.ts';
import { watchCode } from './watch-code.ts';

interface RunDevelopmentOptions {
  config: Config;
  programs: Programs;
  worker: boolean;
  /** Whether the agents of the code are pushed when their files are saved. @default false */
  push?: boolean;
  say: Say;
  /** Aborted to stop everything. */
  signal: AbortSignal;
  prepareDatabase: (database: { databaseUrl: string; config: Config }) => Promise<Development>;
  /** Told the address of the API and the development key when everything runs. */
  onReady?: (ready: { origin: string; apiKey: string }) => void;
}

/** The order in which processes stop; those in one row stop at the same time. */
const stopOrder = [['worker', 'api'], ['mcp'], ['Temporal'], ['Postgres']];

/** Watches the processes. The services may never end by themselves. */
interface Supervision {
  /** Rejects when a process ends that may not. */
  failed: Promise<never>;
  watch: (managed: ManagedProcess, manner?: StopManner) => void;
  /** From now on the API and the worker may end: somebody tries that, and starts them again by hand. */
  allStarted: () => void;
  stopAll: () => Promise<void>;
}

/**
 * Starts all programs over a data folder, prints their addresses, and stops them when the signal is aborted.
 * @throws Error when something does not start, or ends by itself; everything else has been stopped by then
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
  stack.defer(keepRunning(config.dataDir, running.file));
  supervision.allStarted();
  const { file, seed } = running;
  say(toBanner({ file, seed, dataDir: config.dataDir, worker: options.worker }));
  options.onReady?.({ origin: file.api, apiKey: seed.apiKey });
  const { cli } = options.programs;
  if (options.push && cli !== undefined) {
    const { apiKey } = seed;
    stack.defer(watchCode({ config, say, cli, apiKey, running: running.programs }));
  }
  await Promise.race([stopped, supervision.failed]);
}

function supervise({ say, signal }: RunDevelopmentOptions): Supervision {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  const stops = new Map<string, () => Promise<void>>();
  const mayEnd = new Map<string, string>();
  let stopping = false;
  const watch: Supervision['watch'] = (managed, manner) => {
    const { name } = managed;
    stops.set(name, async () => {
      const ending = await managed.stop(manner);
      if (ending.signal === 'SIGKILL') say(`${name} did not stop in time, and was killed.`);
    });
    void managed.exited.then((ending) => {
      stops.delete(name);
      if (stopping || signal.aborted) return;
      const consequence = mayEnd.get(name);
      if (consequence !== undefined) say(toEndedMessage(managed, describeEnding(ending), consequence));
      else
        reject(new Error(`${name} ended by itself with ${describeEnding(ending)}. Everything was stopped.`));
    });
  };
  const stopAll = async () => {
    stopping = true;
    for (const row of stopOrder) await Promise.all(row.map(async (name) => stops.get(name)?.()));
    say('Everything is stopped.');
  };
  const allStarted = () => {
    mayEnd.set('worker', 'accepted turns wait.');
    mayEnd.set('api', 'turns go on.');
  };
  return { failed, watch, allStarted, stopAll };
}

function toEndedMessage({ name, pid }: ManagedProcess, ending: string, consequence: string): string {
  const subject = name === 'api' ? 'API' : name;
  return [
    '',
    `!!! The ${subject} (process ${pid}) ended with ${ending}. Everything else keeps running, and ${consequence}`,
    `!!! Start one again in another terminal: npx holdfast ${name}`,
    '',
  ].join('\n');
}

/** One start of this user at a time chooses its ports: two that run at once would find the same ports free. */
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
  return { file: toRunning(config, services, programs), seed, programs };
}

type Services = Awaited<ReturnType<typeof startServices>>;

async function startServices(
  options: RunDevelopmentOptions & { noteFolder: string },
  { watch }: Supervision,
) {
  const { config, say, noteFolder } = options;
  const { dataDir, environment } = config;
  // When one start fails, the others abort, so that none goes on with a long build.
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

function toRunning(
  { encryption, encryptPayloads, environment }: Config,
  services: Services,
  { origin, api, worker }: Awaited<ReturnType<typeof startPrograms>>,
): Running {
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
      api: api.pid,
      ...(worker && { worker: worker.pid }),
      ...(temporal.process && { temporal: temporal.process.pid }),
      ...(postgres && { postgres: postgres.process.pid }),
      ...(tools?.process && { mcp: tools.process.pid }),
    },
    joined: [],
    startedAt: new Date().toISOString(),
  };
}
