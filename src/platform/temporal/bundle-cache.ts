import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** All files that a bundle is made from. The lock file has the versions of packages. */
const sources = [
  ...['workflows/**/*.ts', 'src/{domain,contract,modules}/**/*.ts'],
  ...['src/platform/temporal/bundle-workflows.ts', 'package-lock.json'],
];

/** The bundles of one name: at most one, that of the last sources. */
export interface BundleCache {
  /** The path for the bundle of the present sources, whether it exists or not. */
  file: string;
  /** Stores the bundle of the present sources and removes earlier ones; fails on a read-only file system. */
  write: (code: string) => void;
}

/** Opens the cache of the bundles `name`, which is in `node_modules/.cache` of the clone `root`. */
export function openBundleCache(root: string, name: string): BundleCache {
  const folder = path.join(root, 'node_modules', '.cache', 'holdfast');
  const file = path.join(folder, `${name}-${hashSources(root)}.js`);
  return {
    file,
    write: (code) => {
      mkdirSync(folder, { recursive: true });
      const earlier = globSync(`${name}-*.js`, { cwd: folder });
      // Several workers of a clone may start at the same time.
      writeFileSync(`${file}.${process.pid}`, code);
      renameSync(`${file}.${process.pid}`, file);
      for (const one of earlier) {
        if (one !== path.basename(file)) rmSync(path.join(folder, one), { force: true });
      }
    },
  };
}

/** The source map of a bundle names its files by absolute paths, so the hash covers the path of the clone. */
function hashSources(root: string): string {
  const hash = createHash('sha256').update(root);
  for (const file of globSync(sources, { cwd: root }).sort()) {
    hash.update(`\0${file}\0`).update(readFileSync(path.join(root, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
