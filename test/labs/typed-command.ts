import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** A command as a person runs it at a terminal. */
export interface TypedCommand {
  /** Everything that it has printed so far. */
  output: () => string;
  /** Waits until it has printed a text; fails when it ends without. */
  printed: (text: string) => Promise<void>;
  /** Ctrl-C, which reaches the whole process group. */
  pressCtrlC: () => void;
  /** Resolves with the exit code once all that it started has let go of the output; null after a signal. */
  ended: Promise<number | null>;
  /** Ends it, however it is, and waits until it is gone. */
  [Symbol.asyncDispose]: () => Promise<void>;
}

interface TypedCommandOptions {
  variables?: NodeJS.ProcessEnv;
  /** What is written to its standard input, which ends after it. */
  input?: string;
  /** @default the root of the project */
  cwd?: string;
}

/**
 * Types a command into a shell, with a process group of its own as at a terminal. It sees none of the variables of
 * this process but those that every program needs, so that what is set on a machine does not change the outcome.
 */
export function typeCommand(command: string, options: TypedCommandOptions = {}): TypedCommand {
  const child = spawn('sh', ['-c', command], {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...options.variables },
    detached: true,
  });
  child.stdin.on('error', () => undefined).end(options.input ?? '');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const signalGroup = (signal: NodeJS.Signals) => {
    if (child.pid !== undefined && isAlive()) process.kill(-child.pid, signal);
  };
  return {
    output: () => output,
    printed: async (text) => {
      while (!output.includes(text)) {
        if (!isAlive()) throw new Error(`"${command}" ended without "${text}":\n${output}`);
        await sleep(20);
      }
    },
    pressCtrlC: () => signalGroup('SIGINT'),
    ended,
    [Symbol.asyncDispose]: async () => {
      signalGroup('SIGTERM');
      await ended;
    },
  };
}

/** Runs a command to its end, and returns what it printed; fails unless it succeeded. */
export async function runTyped(command: string, options: TypedCommandOptions = {}): Promise<string> {
  const typed = typeCommand(command, options);
  const code = await typed.ended;
  if (code === 0) return typed.output();
  throw new Error(`"${command}" ended with code ${String(code)}:\n${typed.output()}`);
}
