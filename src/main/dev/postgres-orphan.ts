import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../running.ts';
import { runCommand } from './run-command.ts';
import type { Say } from './say.ts';

const pollMs = 50;
const waitMs = 15_000;

/**
 * Stops the Postgres that a killed start left running on a data folder. When another program has its process id, as
 * after a power cut, its pid file is removed, because Postgres would refuse to start.
 * @throws Error when the process cannot be inspected, or does not stop
 */
export async function stopOrphan(folder: string, say: Say): Promise<void> {
  const pidFile = path.join(folder, 'postmaster.pid');
  const pid = readPid(pidFile);
  if (pid === undefined || !isAlive(pid)) return;
  const command = await readCommand(pid);
  if (command === undefined) {
    throw new Error(
      `${pidFile} names process ${pid}, which belongs to another user. ` +
        'If that is not a Postgres on this folder, delete the file and start again.',
    );
  }
  if (!command.includes(folder)) {
    rmSync(pidFile);
    return;
  }
  say(`Stopping the Postgres (process ${pid}) that an earlier start left behind …`);
  process.kill(pid, 'SIGINT');
  for (let waited = 0; isAlive(pid); waited += pollMs) {
    if (waited > waitMs) process.kill(pid, 'SIGQUIT');
    if (waited > 2 * waitMs)
      throw new Error(`Postgres (process ${pid}) does not stop; stop it, then start again.`);
    await sleep(pollMs);
  }
}

function readPid(pidFile: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  } catch {
    return undefined;
  }
}

async function readCommand(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
      return undefined;
    }
  }
  const run = await runCommand('ps', ['-o', 'command=', '-p', String(pid)], { timeoutMs: 5000 });
  return run.succeeded ? run.output : undefined;
}
