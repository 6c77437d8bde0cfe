import { existsSync } from 'node:fs';
import path from 'node:path';

/** Returns the folder of the console: that of the package, or in a clone the one where it is built. */
export function findConsole(): string | undefined {
  const base = path.dirname(path.dirname(import.meta.dirname));
  // The compiled program lies in `dist/src/main`.
  const packaged = path.join(base, 'console');
  if (existsSync(path.join(packaged, 'index.html')) && path.basename(base) === 'dist') return packaged;
  return existsSync(path.join(base, 'console', 'package.json'))
    ? path.join(base, 'console', 'dist')
    : undefined;
}
