import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runCommand, type CommandEnding } from './run-command.ts';
import type { Say } from './say.ts';
import { siblingOf } from './sibling-of.ts';
import { temporalCliVersion } from './versions.ts';

const downloadTimeoutMs = 5 * 60_000;
const buildTimeoutMs = 30 * 60_000;
const modulePath = 'github.com/temporalio/cli';

interface InstallOrder {
  /** The path that the binary is installed at. */
  target: string;
  environment: NodeJS.ProcessEnv;
  say: Say;
  signal?: AbortSignal;
}

/** The outcome of an installation. */
type InstallOutcome = { installed: true } | { installed: false; problem: string };

/** Installs the Temporal CLI in one way. */
export type TemporalInstaller = (order: InstallOrder) => Promise<InstallOutcome>;

/** Downloads the Temporal CLI with the downloader of `@temporalio/testing`. */
export const downloadTemporal: TemporalInstaller = async (order) => {
  order.say(`Downloading the Temporal CLI ${temporalCliVersion} (about 60 MB, usually under a minute) …`);
  return installFrom(order, 'The download', (folder) =>
    // The downloader runs in a separate process, because it cannot be aborted.
    runCommand(process.execPath, [siblingOf(import.meta.filename, 'download-temporal'), folder], {
      timeoutMs: downloadTimeoutMs,
      environment: order.environment,
      ...toSignal(order),
    }),
  );
};

/** Builds the Temporal CLI from source with Go. */
export const buildTemporal: TemporalInstaller = async (order) => {
  const { environment, say } = order;
  const go = await runCommand('go', ['version'], { timeoutMs: 20_000, environment });
  if (!go.succeeded) return { installed: false, problem: 'Go, to build it from source, is not installed.' };
  say(`Building the Temporal CLI ${temporalCliVersion} with Go (once; usually about 3 minutes) …`);
  const setVersion = `-s -w -X ${modulePath}/temporalcli.Version=${temporalCliVersion}`;
  const source = `${modulePath}/cmd/temporal@v${temporalCliVersion}`;
  return installFrom(order, 'The build with Go', (folder) =>
    runCommand('go', ['install', '-ldflags', setVersion, source], {
      timeoutMs: buildTimeoutMs,
      environment: { ...environment, GOBIN: folder },
      cwd: folder,
      ...toSignal(order),
    }),
  );
};

/** Lets `fill` put the binary into a folder beside the target, then moves it there in one step. */
async function installFrom(
  { target, say }: InstallOrder,
  name: string,
  fill: (folder: string) => Promise<CommandEnding>,
): Promise<InstallOutcome> {
  mkdirSync(path.dirname(target), { recursive: true });
  const folder = mkdtempSync(`${target}.new-`);
  try {
    const ending = await fill(folder);
    if (!ending.succeeded) return fail(say, `${name} failed: ${ending.problem}`);
    const binary = readdirSync(folder).find((file) => file.startsWith('temporal'));
    if (binary === undefined) return fail(say, `${name} left no binary.`);
    chmodSync(path.join(folder, binary), 0o755);
    renameSync(path.join(folder, binary), target);
    return { installed: true };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function toSignal({ signal }: InstallOrder): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

function fail(say: Say, problem: string): InstallOutcome {
  say(problem);
  return { installed: false, problem };
}
