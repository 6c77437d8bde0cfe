import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often the folders are read, in milliseconds. */
const pollMs = 300;

/** The files of each folder, with what changes when they are saved. */
export type Snapshot = ReadonlyMap<string, string>;

/**
 * Calls `onChange` with the folders whose files have changed, one call after the other, once the files have stayed the same
 * from one look to the next. Folders may be created later. Events of the file system are not used: on Linux they miss
 * files in new folders, and many editors replace a file instead of writing it. Returns what stops it and waits for the
 * last call.
 */
export function watchFiles(
  folders: readonly string[],
  onChange: (changed: string[]) => Promise<void>,
): () => Promise<void> {
  const stop = new AbortController();
  const isStopped = () => stop.signal.aborted;
  const watch = async () => {
    let handled = takeSnapshots(folders);
    let last = handled;
    while (!isStopped()) {
      await sleep(pollMs, undefined, { signal: stop.signal }).catch(() => undefined);
      const now = takeSnapshots(folders);
      const isSettled = folders.every((folder) => isSame(now.get(folder), last.get(folder)));
      last = now;
      const before = handled;
      const changed = folders.filter((folder) => !isSame(now.get(folder), before.get(folder)));
      if (isStopped() || !isSettled || changed.length === 0) continue;
      handled = now;
      await onChange(changed);
    }
  };
  const watching = watch();
  return async () => {
    stop.abort();
    await watching;
  };
}

function takeSnapshots(folders: readonly string[]): Map<string, Snapshot> {
  return new Map(folders.map((folder) => [folder, new Map(listFiles(folder))]));
}

/** Files that vanish while they are listed are left out. */
function listFiles(folder: string): [string, string][] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
      .flatMap((entry): [string, string][] => {
        const file = path.join(folder, entry.name);
        if (entry.isDirectory()) return listFiles(file);
        const found = statSync(file, { throwIfNoEntry: false });
        return found ? [[file, `${found.mtimeMs} ${found.ctimeMs} ${found.size} ${found.ino}`]] : [];
      });
  } catch {
    return [];
  }
}

function isSame(one: Snapshot | undefined, other: Snapshot | undefined): boolean {
  if (!one || !other || one.size !== other.size) return false;
  return [...one].every(([file, state]) => other.get(file) === state);
}
