import { existsSync } from 'node:fs';
import path from 'node:path';
import { withLock } from '#lock';
import { buildTemporal, downloadTemporal, type TemporalInstaller } from './install-temporal.ts';
import type { Say } from './say.ts';
import { temporalCliVersion, temporalServerVersion } from './versions.ts';
import { runCommand } from './run-command.ts';

const probeTimeoutMs = 20_000;

interface TemporalSearch {
  /** The path of a binary that the user set in `HOLDFAST_TEMPORAL_CLI`. */
  temporalCli: string | undefined;
  cacheDir: string;
  environment: NodeJS.ProcessEnv;
  say: Say;
  /** Aborts a download or a build. */
  signal?: AbortSignal;
  /** The installers of a binary, tried in this order. @default a download, then a build with Go */
  installers?: TemporalInstaller[];
}

/**
 * Finds the Temporal CLI: the one set, the one on PATH, or the one in the cache; else installs one in the cache.
 * @throws Error that says what to do when there is none and none can be installed
 */
export async function findTemporal(search: TemporalSearch): Promise<string> {
  if (search.temporalCli !== undefined) return checkNamed(search.temporalCli);
  const cached = path.join(search.cacheDir, `temporal-${temporalCliVersion}`);
  const found = (await findOnPath(search)) ?? (await findWorking(cached));
  if (found !== undefined) return found;
  const reason = 'Another start gets the Temporal CLI';
  return withLock(
    `${cached}.lock`,
    reason,
    async () => (await findWorking(cached)) ?? install(search, cached),
  );
}

async function checkNamed(file: string): Promise<string> {
  const probe = await probeTemporal(file);
  if (probe.works) return file;
  throw new Error(`HOLDFAST_TEMPORAL_CLI is ${file}, but that cannot be used: ${probe.problem}`);
}

async function findOnPath({ environment, say }: TemporalSearch): Promise<string | undefined> {
  for (const folder of (environment['PATH'] ?? '').split(path.delimiter)) {
    const file = path.join(folder, 'temporal');
    if (!path.isAbsolute(file) || !existsSync(file)) continue;
    const probe = await probeTemporal(file);
    if (probe.works) return file;
    say(`Passing over ${file}: ${probe.problem}`);
  }
  return undefined;
}

async function findWorking(file: string): Promise<string | undefined> {
  if (!existsSync(file)) return undefined;
  return (await probeTemporal(file)).works ? file : undefined;
}

async function install(search: TemporalSearch, target: string): Promise<string> {
  const problems: string[] = [];
  for (const installer of search.installers ?? [downloadTemporal, buildTemporal]) {
    const outcome = await installer({ ...search, target });
    search.signal?.throwIfAborted();
    if (outcome.installed) return target;
    problems.push(outcome.problem);
  }
  throw new Error(toMissingMessage(problems, target));
}

function toMissingMessage(problems: string[], target: string): string {
  return [
    `No Temporal CLI (version ${temporalCliVersion}, server ${temporalServerVersion} or newer).`,
    ...problems.map((problem) => `  - ${problem}`),
    'Do one of these, and start again:',
    '  - install it (https://docs.temporal.io/cli) so that "temporal" is on PATH',
    `  - put the binary at ${target}, or name it with HOLDFAST_TEMPORAL_CLI`,
    '  - install Go, and it is built from source',
    '  - run "docker compose -f temporal-dev.yml up", and set TEMPORAL_ADDRESS and DATABASE_URL as that file says',
  ].join('\n');
}

/** Whether Holdfast can use a binary as its Temporal CLI, or the reason why not. */
type TemporalProbe = { works: true } | { works: false; problem: string };

/** Asks a Temporal CLI for its version, and accepts it when its server is new enough. */
async function probeTemporal(file: string): Promise<TemporalProbe> {
  const run = await runCommand(file, ['--version'], { timeoutMs: probeTimeoutMs });
  if (!run.succeeded) return { works: false, problem: `"${file} --version" failed: ${run.problem}` };
  const version = /\(Server (\d+\.\d+\.\d+)/.exec(run.output)?.[1];
  if (version === undefined) {
    return { works: false, problem: `"${file} --version" names no server: ${run.output.trim()}` };
  }
  if (isOlder(version, temporalServerVersion)) {
    return { works: false, problem: `its server is ${version}, older than ${temporalServerVersion}.` };
  }
  return { works: true };
}

function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0;
}
