import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { takeLock } from '../../../scripts/lock.mjs';
import { type Running, toRunningFile } from '../running.ts';

/**
 * Makes this process the only one that runs over a data folder, until the function that it returns is called.
 * @throws Error that names the process that already does
 */
export function claimDataFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const { release, owner } = takeLock(path.join(dataDir, 'running.lock'));
  if (release !== undefined) return release;
  throw new Error(
    `Holdfast is already running over ${dataDir} (process ${owner}). ` +
      'Stop it first, or choose another folder: npm start -- --data DIR',
  );
}

/** Writes `running.json`, readable by its owner only, in one step; returns a function that removes it. */
export function writeRunning(dataDir: string, running: Running): () => void {
  const file = toRunningFile(dataDir);
  writeFileSync(`${file}.new`, `${JSON.stringify(running, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return () => rmSync(file, { force: true });
}
