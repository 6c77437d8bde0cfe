import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject, parseJsonObject } from '../../domain/json.ts';

/** Returns the name of the package that a folder is in; `agents` where there is none. */
export function findProject(folder: string): string {
  for (let place = path.resolve(folder); ; place = path.dirname(place)) {
    const { name } = readManifest(place);
    if (typeof name === 'string' && name !== '') return name;
    if (place === path.dirname(place)) return 'agents';
  }
}

function readManifest(folder: string): { name?: unknown } {
  try {
    const manifest = parseJsonObject(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    return isJsonObject(manifest) ? manifest : {};
  } catch {
    return {};
  }
}
