import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { inject } from 'vitest';
import { runTyped } from '../labs/typed-command.ts';
import type { Project } from './packed-package.ts';

const nodeModules = path.resolve('node_modules');

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/**
 * Copies a folder of `examples` into the folder of a project that has Holdfast, checks its types and runs its tests. The copy
 * has the packages that its package.json names, by links to those of the clone. Returns what the tests have printed.
 */
export async function testExample({ folder, holdfast }: Project, name: string): Promise<string> {
  const example = path.join(folder, name);
  cpSync(path.join('examples', name), example, { recursive: true });
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(path.join(example, 'package.json'), 'utf8'),
  ) as Manifest;
  const modules = path.join(example, 'node_modules');
  for (const wanted of Object.keys({ ...dependencies, ...devDependencies })) {
    const link = path.join(modules, wanted);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(wanted === 'holdfast' ? holdfast : path.join(nodeModules, wanted), link);
  }
  symlinkSync(path.join(nodeModules, '.bin'), path.join(modules, '.bin'));
  await runTyped('npm run check', { cwd: example });
  const variables = { HOLDFAST_TEMPORAL_CLI: inject('temporalBinary') };
  return runTyped('npm test', { cwd: example, variables });
}
