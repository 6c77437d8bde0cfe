import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { withLock } from '../../scripts/lock.mjs';
import { runCommand } from '../../src/main/dev/run-command.ts';
import type { PlaceOptions } from '../place.ts';
import type { PeerRow } from './catalogue.ts';
import { toMissingPackages, type LockedPackages } from './missing-packages.ts';

const installTimeoutMs = 10 * 60_000;
const stamp = path.join('node_modules', '.package-lock.json');

/**
 * Installs the packages of the peers when one of these rows needs some and they are missing or stale. All of them are
 * optional for npm, which skips one that it cannot get. Returns a function that lists the packages of a row that are not
 * installed.
 */
export async function installPeers(
  rows: readonly Pick<PeerRow, 'packages'>[],
  options: PlaceOptions,
): Promise<(packages: readonly string[]) => string[]> {
  if (rows.every(({ packages }) => packages.length === 0)) return () => [];
  const wanted = readLock('package-lock.json');
  const reason = 'Another run installs the packages of the peers';
  const findMissing = (packages: readonly string[]) =>
    toMissingPackages(packages, { wanted, present: readLock(stamp) });
  const all = Object.keys(wanted['']?.optionalDependencies ?? {});
  await withLock(path.join(import.meta.dirname, '.install.lock'), reason, async () => {
    if (findMissing(all).length > 0) await runCi(options);
  });
  return findMissing;
}

async function runCi({ config: { environment }, say, signal }: PlaceOptions): Promise<void> {
  say('Installing the packages of the peers (once; usually half a minute, 450 MB) …');
  const npm = environment['npm_execpath'];
  const [file, ...first] = npm?.endsWith('npm-cli.js') === true ? [process.execPath, npm] : ['npm'];
  // They need no scripts, some of which report the install to their makers.
  const npmArguments = [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const ending = await runCommand(file, npmArguments, {
    timeoutMs: installTimeoutMs,
    environment,
    cwd: import.meta.dirname,
    signal,
  });
  signal.throwIfAborted();
  if (!ending.succeeded) say(`npm ci in bench/peers failed: ${ending.problem}`);
}

/** Returns the packages with the versions of the lock file. */
export function listVersions(packages: readonly string[]): string[] {
  const wanted = readLock('package-lock.json');
  return packages.map((name) => `${name} ${wanted[`node_modules/${name}`]?.version ?? 'unknown'}`);
}

function readLock(file: string): LockedPackages {
  const whole = path.join(import.meta.dirname, file);
  if (!existsSync(whole)) return {};
  return (JSON.parse(readFileSync(whole, 'utf8')) as { packages: LockedPackages }).packages;
}
