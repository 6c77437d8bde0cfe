import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** A command that runs as if a person had typed it at a terminal. */
export interface TypedCommand {
  /** Returns the output of the command so far. */
  output: () => string;
  /** Waits until the command has printed a text. Throws when the command ends without it. */
  printed: (text: string) => Promise<void>;
  /** Sends Ctrl-C, which reaches the whole process group. */
  pressCtrlC: () => void;
  /** Resolves with the exit code, null after a signal, once all processes of the command have closed the output. */
  ended: Promise<number | null>;
  /** Kills the command and waits until it has ended. */
  [Symbol.asyncDispose]: () => Promise<void>;
}

interface TypedCommandOptions {
  variables?: NodeJS.ProcessEnv;
  /** The text of its standard input. */
  input?: string;
  /** @default the root of the project */
  cwd?: string;
}

/** The variables that every program needs, and the folder in which Node keeps compiled modules. */
const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;

/**
 * Runs a command in a shell, with a separate process group as at a terminal. It gets few variables of this process, so
 * that the settings of a machine do not change the outcome.
 */
export function typeCommand(command: string, options: TypedCommandOptions = {}): TypedCommand {
  const child = spawn('sh', ['-c', command], {
    cwd: options.cwd,
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...options.variables },
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

/** Runs a command to its end, and returns its output. Throws when the command fails. */
export async function runTyped(command: string, options: TypedCommandOptions = {}): Promise<string> {
  const typed = typeCommand(command, options);
  const code = await typed.ended;
  if (code === 0) return typed.output();
  throw new Error(`"${command}" ended with code ${String(code)}:\n${typed.output()}`);
}
