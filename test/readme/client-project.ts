import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';

/** Creates a project with `holdfast/client` and zod, which is deleted after the test. */
export function createClientProject(): string {
  const folder = createTemporaryFolder();
  const packages = path.join(folder, 'node_modules');
  mkdirSync(path.join(packages, 'holdfast'), { recursive: true });
  for (const name of ['zod', '@types'])
    symlinkSync(path.resolve('node_modules', name), path.join(packages, name));
  symlinkSync(path.resolve('src/client'), path.join(packages, 'holdfast', 'client'));
  const manifest = { name: 'holdfast', type: 'module', exports: { './client': './client/index.ts' } };
  writeFileSync(path.join(packages, 'holdfast', 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  return folder;
}
