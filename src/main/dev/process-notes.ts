import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess, isSameProcess } from '#lock';
import type { Say } from './say.ts';

const pollMs = 50;
const graceMs = 12_000;

/** Writes the id of a named process into a folder, and returns a function that removes this note. */
export function writeNote(folder: string, name: string, pid: number): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, name);
  writeFileSync(file, identifyProcess(pid));
  return () => rmSync(file, { force: true });
}

/** Stops the processes that a killed start left behind, by the notes in a folder. */
export async function stopLeftovers(folder: string, say: Say): Promise<void> {
  if (!existsSync(folder)) return;
  await Promise.all(
    readdirSync(folder).map(async (name) => {
      const file = path.join(folder, name);
      await stopLeftover(name, readFileSync(file, 'utf8'), say);
      rmSync(file, { force: true });
    }),
  );
}

async function stopLeftover(name: string, identity: string, say: Say): Promise<void> {
  const pid = Number.parseInt(identity, 10);
  if (!isSameProcess(identity)) return;
  say(`Stopping ${name} (process ${pid}), which an earlier start left behind …`);
  process.kill(pid, 'SIGTERM');
  for (let waited = 0; isSameProcess(identity); waited += pollMs) {
    if (waited > graceMs) process.kill(pid, 'SIGKILL');
    if (waited > 2 * graceMs)
      throw new Error(`${name} (process ${pid}) does not stop; stop it, then start again.`);
    await sleep(pollMs);
  }
}
