import { mkdirSync, mkdtempSync, renameSync, rmSync, existsSync } from 'node:fs';
import path from 'node:path';
import { withLock } from '../../scripts/lock.mjs';
import { runCommand } from '../../src/main/dev/run-command.ts';
import { temporalServerVersion } from '../../src/main/dev/versions.ts';
import type { EngineOptions } from './engine.ts';

const buildTimeoutMs = 30 * 60_000;
const modulePath = 'go.temporal.io/server';

/** The programs of a Temporal server as a deployment runs it. */
export interface ClusterBinaries {
  server: string;
  sqlTool: string;
}

/** Finds the programs in the cache or builds them with Go. Returns null, after printing why, when it cannot. */
export async function findClusterBinaries(options: EngineOptions): Promise<ClusterBinaries | null> {
  const { cacheDir, say } = options;
  const toFile = (name: string) => path.join(cacheDir, `${name}-${temporalServerVersion}`);
  const binaries = { server: toFile('temporal-server'), sqlTool: toFile('temporal-sql-tool') };
  const isThere = () => Object.values(binaries).every((file) => existsSync(file));
  if (isThere()) return binaries;
  const reason = 'Another program builds temporal-server';
  const problem = await withLock(`${binaries.server}.lock`, reason, async () =>
    isThere() ? undefined : build(binaries, options),
  );
  if (problem === undefined) return binaries;
  say(`SKIPPED: temporal-server with Postgres persistence, because ${problem}`);
  return null;
}

async function build(
  binaries: ClusterBinaries,
  { environment, say, signal }: EngineOptions,
): Promise<string | undefined> {
  const go = await runCommand('go', ['version'], { timeoutMs: 20_000, environment });
  if (!go.succeeded) return 'Go, to build it from source, is not installed.';
  say(`Building temporal-server ${temporalServerVersion} with Go (once; usually 2 to 4 minutes) …`);
  mkdirSync(path.dirname(binaries.server), { recursive: true });
  const folder = mkdtempSync(`${binaries.server}.new-`);
  const sources = ['cmd/server', 'cmd/tools/sql'].map(
    (command) => `${modulePath}/${command}@v${temporalServerVersion}`,
  );
  try {
    const ending = await runCommand('go', ['install', '-ldflags', '-s -w', ...sources], {
      timeoutMs: buildTimeoutMs,
      environment: { ...environment, GOBIN: folder },
      cwd: folder,
      signal,
    });
    signal.throwIfAborted();
    if (!ending.succeeded) return `the build failed: ${ending.problem}`;
    renameSync(path.join(folder, 'server'), binaries.server);
    renameSync(path.join(folder, 'sql'), binaries.sqlTool);
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
