import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { runCommand } from './run-command.ts';
import type { Launcher } from './unprivileged.ts';
import { postgresMajorVersion } from './versions.ts';

const initTimeoutMs = 120_000;
const parts = ['PG_VERSION', 'postgresql.conf', 'pg_hba.conf', 'global/pg_control', 'base', 'pg_wal'];

/** The files of the embedded Postgres. */
export interface ClusterFiles {
  /** The cluster itself. */
  folder: string;
  /** The password of both its roles. */
  passwordFile: string;
}

/** Returns the paths inside a data folder. */
export function toClusterFiles(dataDir: string): ClusterFiles {
  return { folder: path.join(dataDir, 'postgres'), passwordFile: path.join(dataDir, 'postgres-password') };
}

/** Whether there is no cluster yet. */
export function isMissing({ folder }: ClusterFiles): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0;
}

/**
 * Checks that a cluster is whole and of our version, and returns its password.
 * @throws Error that names the problem; nothing is changed
 */
export function checkCluster({ folder, passwordFile }: ClusterFiles): string {
  const missing = parts.filter((part) => !existsSync(path.join(folder, part)));
  if (missing.length > 0) {
    throw new Error(
      toDamageMessage(folder, `it is not a complete Postgres data folder (no ${missing.join(', ')})`),
    );
  }
  const version = readFileSync(path.join(folder, 'PG_VERSION'), 'utf8').trim();
  if (version !== String(postgresMajorVersion)) {
    const problem = `it was made by Postgres ${version}, and this is Postgres ${postgresMajorVersion}`;
    throw new Error(toDamageMessage(folder, problem));
  }
  if (!existsSync(passwordFile)) {
    throw new Error(toDamageMessage(folder, `its password file ${passwordFile} is missing`));
  }
  return readFileSync(passwordFile, 'utf8').trim();
}

/** Returns the message about data that cannot be used. */
export function toDamageMessage(folder: string, problem: string): string {
  return (
    `The database in ${folder} cannot be used: ${problem}${problem.endsWith('\n') ? '' : '. '}Nothing was changed. ` +
    'Bring the folder back from a copy, or move it away, or choose another one with --data, to start with an empty one.'
  );
}

interface ClusterOrder {
  place: ClusterFiles;
  binaries: PostgresBinaries;
  launcher: Launcher;
  environment: NodeJS.ProcessEnv;
}

/** Creates a cluster with a new password, in one step, and returns the password. */
export async function createCluster({
  place,
  binaries,
  launcher,
  environment,
}: ClusterOrder): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const folder = `${place.folder}.new`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  if (launcher.owner !== undefined) chownSync(folder, launcher.owner.uid, launcher.owner.gid);
  writeFileSync(place.passwordFile, `${password}\n`, { mode: 0o600 });
  const [file = '', ...rest] = [...launcher.prefix, binaries.initdb, ...toInitArguments(folder, place)];
  const run = await runCommand(file, rest, { timeoutMs: initTimeoutMs, environment });
  if (!run.succeeded) throw new Error(`Postgres could not be set up in ${place.folder}: ${run.problem}`);
  rmSync(place.folder, { recursive: true, force: true });
  renameSync(folder, place.folder);
  return password;
}

// The built-in locale sorts and compares the same on every machine.
function toInitArguments(folder: string, { passwordFile }: ClusterFiles): string[] {
  return [
    `--pgdata=${folder}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
}
