// A lock between processes: a folder that names its owner. Built-ins only.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 250;
const taken = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM']);

/** Runs `work` while holding the lock `directory`; waits for its owner, and takes over from a dead one. */
export async function withLock(directory, reason, work) {
  let isLogged = false;
  for (;;) {
    const { release, owner } = takeLock(directory);
    if (release !== undefined) {
      try {
        return await work();
      } finally {
        release();
      }
    }
    if (!isLogged) console.log(`${reason} (process ${owner}); waiting until it is done …`);
    isLogged = true;
    await sleep(pollMs);
  }
}

/** Takes the lock `directory`, also from a dead owner; otherwise returns the process id of the living owner. */
export function takeLock(directory) {
  mkdirSync(path.dirname(directory), { recursive: true });
  for (;;) {
    if (tryLock(directory)) return { release: () => remove(directory) };
    const owner = readOwner(directory);
    if (owner === undefined) continue;
    if (isSameProcess(owner)) return { owner: Number.parseInt(owner, 10) };
    removeAbandoned(directory, owner);
  }
}

/** Names a process beyond its id, which the system gives out again: its id and when it was started. */
export function identifyProcess(pid) {
  return `${pid} ${startOf(pid) ?? 'gone'}`;
}

/** Returns true while the process that {@link identifyProcess} named runs. */
export function isSameProcess(identity) {
  const pid = Number.parseInt(identity, 10);
  return startOf(pid) !== undefined && identifyProcess(pid) === identity;
}

// Renaming a folder onto one that is not empty fails, so the lock appears at once and with its owner's name.
function tryLock(directory) {
  const candidate = `${directory}.${process.pid}`;
  mkdirSync(candidate, { recursive: true });
  writeFileSync(path.join(candidate, 'owner'), identifyProcess(process.pid));
  try {
    renameSync(candidate, directory);
    return true;
  } catch (error) {
    rmSync(candidate, { recursive: true, force: true });
    if (!taken.has(error.code)) throw error;
    return false;
  }
}

// Moved aside first: a folder that is empty for a moment, while it is deleted, could be taken by another process.
function remove(directory) {
  const aside = `${directory}.${process.pid}.released`;
  renameSync(directory, aside);
  rmSync(aside, { recursive: true, force: true });
}

// Moved aside and checked before it is deleted: another process may have taken the lock in between.
function removeAbandoned(directory, owner) {
  const aside = `${directory}.${process.pid}.abandoned`;
  try {
    renameSync(directory, aside);
    if (readOwner(aside) !== owner) renameSync(aside, directory);
  } catch {
    // Another process has removed it before.
  }
  rmSync(aside, { recursive: true, force: true });
}

function readOwner(directory) {
  try {
    return readFileSync(path.join(directory, 'owner'), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function startOf(pid) {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
    return stdout?.trim() || undefined;
  }
  try {
    // Field 22 of proc_pid_stat(5), counted after the command's name, which may hold spaces; field 3 is the state.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
