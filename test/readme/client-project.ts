import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';

interface ClientProjectOptions {
  /** The packages beside Holdfast. @default zod and the types */
  packages?: string[];
  /** The entries of Holdfast, each a folder of the source. @default the client */
  entries?: string[];
}

/** Creates a project with `holdfast/client` and zod, which is deleted after the test. */
export function createClientProject({
  packages = ['zod', '@types'],
  entries = ['client'],
}: ClientProjectOptions = {}): string {
  const folder = createTemporaryFolder();
  const modules = path.join(folder, 'node_modules');
  const holdfast = path.join(modules, 'holdfast');
  mkdirSync(holdfast, { recursive: true });
  for (const name of packages) symlinkSync(path.resolve('node_modules', name), path.join(modules, name));
  for (const entry of entries) symlinkSync(path.resolve('src/clients', entry), path.join(holdfast, entry));
  const exports = Object.fromEntries(entries.map((entry) => [`./${entry}`, `./${entry}/index.ts`]));
  const manifest = { name: 'holdfast', type: 'module', exports };
  writeFileSync(path.join(holdfast, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  return folder;
}
