import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The version of Holdfast, from its package.json. */
export const packageVersion = readVersion(import.meta.dirname);

/** Reads the nearest package.json: the compiled program is one folder deeper than its source. */
function readVersion(folder: string): string {
  const file = path.join(folder, 'package.json');
  if (!existsSync(file)) return readVersion(path.dirname(folder));
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
