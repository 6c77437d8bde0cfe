import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Project } from './packed-package.ts';

/**
 * Gives a project the package `holdfast`, whose modules are those of the clone, and returns its folder. TypeScript and Node read
 * the source through the link, so nothing is built.
 */
export function linkHoldfast(folder: string): string {
  const holdfast = path.join(folder, 'node_modules', 'holdfast');
  mkdirSync(holdfast, { recursive: true });
  symlinkSync(path.resolve('src'), path.join(holdfast, 'src'));
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    exports: Record<string, string | { default: string }>;
  };
  const sources = Object.entries(exports).map(([name, target]) => {
    const built = typeof target === 'string' ? target : target.default;
    return [name, built.replace('./dist/', './').replace(/\.js$/, '.ts')];
  });
  const manifest = { name: 'holdfast', type: 'module', exports: Object.fromEntries(sources) as object };
  writeFileSync(path.join(holdfast, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  return holdfast;
}

/** Makes a folder a project that has the source of the clone as its package `holdfast`. */
export function linkProject(folder: string): Promise<Project> {
  return Promise.resolve({ folder, holdfast: linkHoldfast(folder) });
}
