import { cpSync } from 'node:fs';
import path from 'node:path';
import { inject } from 'vitest';
import { runTyped } from '../labs/typed-command.ts';
import { linkPackages, type Project } from './packed-package.ts';

/**
 * Copies a folder of `examples` into the folder of a project that has Holdfast, checks its types and runs its tests. Returns
 * what the tests have printed.
 */
export async function testExample({ folder, holdfast }: Project, name: string): Promise<string> {
  const example = path.join(folder, name);
  cpSync(path.join('examples', name), example, { recursive: true });
  linkPackages(example, holdfast);
  await runTyped('npm run check', { cwd: example });
  const variables = { HOLDFAST_TEMPORAL_CLI: inject('temporalBinary') };
  return runTyped('npm test', { cwd: example, variables });
}
