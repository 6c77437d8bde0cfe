import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runTyped } from '../labs/typed-command.ts';

/** A project of its own that has Holdfast as a package. */
export interface Project {
  folder: string;
  /** The folder of the package. */
  holdfast: string;
}

const nodeModules = path.resolve('node_modules');

/**
 * Builds and packs Holdfast, and unpacks it into the `node_modules` of a new project. The packages that it depends on
 * are those of the clone, by a link: npm would need a registry or a full cache to install them once more.
 */
export async function createProject(folder: string): Promise<Project> {
  await runTyped('npm run build');
  await runTyped(`npm pack --ignore-scripts --pack-destination '${folder}'`);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'no tarball';
  const holdfast = path.join(folder, 'node_modules', 'holdfast');
  mkdirSync(holdfast, { recursive: true });
  await runTyped(`tar -xzf '${path.join(folder, tarball)}' --strip-components=1 -C '${holdfast}'`);
  symlinkSync(nodeModules, path.join(holdfast, 'node_modules'));
  for (const scope of ['@types', '@temporalio']) {
    symlinkSync(path.join(nodeModules, scope), path.join(folder, 'node_modules', scope));
  }
  // As in a clone, `npx node` is the Node of the package `node`.
  mkdirSync(path.join(folder, 'node_modules', '.bin'));
  symlinkSync(path.join(nodeModules, '.bin', 'node'), path.join(folder, 'node_modules', '.bin', 'node'));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  return { folder, holdfast };
}

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** Gives a project the packages that its package.json names: Holdfast as it is packed, and links to those of the clone. */
export function linkPackages(folder: string, holdfast: string): void {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  ) as Manifest;
  const link = (target: string, name: string) => {
    const place = path.join(folder, 'node_modules', name);
    mkdirSync(path.dirname(place), { recursive: true });
    symlinkSync(target, place);
  };
  for (const name of Object.keys({ ...dependencies, ...devDependencies }))
    link(name === 'holdfast' ? holdfast : path.join(nodeModules, name), name);
  link(path.join(holdfast, 'scripts', 'holdfast.mjs'), '.bin/holdfast');
  link(path.join(nodeModules, '.bin', 'tsc'), '.bin/tsc');
}

/** Runs a program of the project. */
export function runProgram(
  { folder }: Project,
  { source, variables }: { source: string; variables: NodeJS.ProcessEnv },
): Promise<string> {
  writeFileSync(path.join(folder, 'program.ts'), source);
  return runTyped(`'${process.execPath}' program.ts`, { cwd: folder, variables });
}

/** The packages that the code of a built package needs, and the types of its clients. */
export function listImports(holdfast: string): string[] {
  const dist = path.join(holdfast, 'dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(
    // A bundle of the workflows has all that it needs, also code that would import more.
    (file) =>
      (file.endsWith('.js') && !file.endsWith('bundle.js')) ||
      /^src.(client|temporal-client|domain).*\.d\.ts$/.test(file),
  );
  const names = files.flatMap((file) => {
    const code = readFileSync(path.join(dist, file), 'utf8');
    return [...code.matchAll(/(?:from|import) ["'](?!node:)((?:@[\w-]+\/)?[a-z][\w.-]*)/g)];
  });
  return [...new Set(names.map(([, name = '']) => name))];
}
