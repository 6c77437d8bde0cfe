import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { takeLock } from '#lock';
import { isAlive, listJoined, type Running, toJoinFolder, toRunningFile } from '../running.ts';

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

/** The time between two checks of the processes, in milliseconds. */
const followMs = 500;

/**
 * Writes `running.json`, readable by its owner only, and writes it again whenever one of its processes ends or another
 * one starts or joins. Returns a function that ends that and removes the file.
 */
export function keepRunning(dataDir: string, toRunning: () => Running): () => void {
  const file = toRunningFile(dataDir);
  let written = '';
  const write = () => {
    const text = `${JSON.stringify(withLivingProcesses(toRunning(), listJoined(dataDir)), null, 2)}\n`;
    if (text === written) return;
    written = text;
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  // Ids of an earlier start may belong to other processes by now.
  rmSync(toJoinFolder(dataDir), { recursive: true, force: true });
  write();
  const timer = setInterval(() => {
    try {
      write();
    } catch {
      // The folder was removed, or the disk is full: the file cannot be kept, and everything else continues.
    }
  }, followMs).unref();
  return () => {
    clearInterval(timer);
    rmSync(file, { force: true });
  };
}

function withLivingProcesses({ pids, ...running }: Running, joined: Running['joined']): Running {
  const own = Object.entries(pids).filter(([, pid]) => pid !== undefined && isAlive(pid));
  const byHand = joined.map(({ name, pid }) => [name, pid] as const);
  const living: Running['pids'] = { dev: pids.dev, ...Object.fromEntries([...byHand, ...own]) };
  return { ...running, pids: living, joined };
}
