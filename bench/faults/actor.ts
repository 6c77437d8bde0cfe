import { readFileSync } from 'node:fs';
import type { ManagedProcess } from '../../src/main/dev/processes.ts';

/** A process that can be killed, stopped and started again. */
export interface Actor {
  start: () => Promise<void>;
  /** Kills it as a crash would, or with another signal, and waits for its end. */
  kill: (signal?: NodeJS.Signals) => Promise<void>;
  /** Stops it with `SIGSTOP`, until `resume`. */
  pause: () => void;
  resume: () => void;
  /** Kills its child processes whose command line fits, and leaves it alive. */
  killChildren: (pattern: RegExp) => number;
  isAlive: () => boolean;
}

/** Makes an actor of a function that starts a process and resolves when it is ready. */
export function createActor(launch: () => Promise<ManagedProcess>): Actor {
  let running: ManagedProcess | undefined;
  const isAlive = () => running !== undefined && running.ending() === undefined;
  const send = (signal: NodeJS.Signals) => {
    if (running && isAlive()) process.kill(running.pid, signal);
  };
  return {
    isAlive,
    start: async () => {
      if (!isAlive()) running = await launch();
    },
    kill: async (signal = 'SIGKILL') => {
      send(signal);
      await running?.exited;
    },
    pause: () => send('SIGSTOP'),
    resume: () => send('SIGCONT'),
    killChildren: (pattern) => {
      const chosen = listChildren(running?.pid ?? 0).filter((pid) => pattern.test(readCommandLine(pid)));
      for (const pid of chosen) killIfAlive(pid);
      return chosen.length;
    },
  };
}

/** The first child that is killed may take the others with it. */
function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function listChildren(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

function readCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
