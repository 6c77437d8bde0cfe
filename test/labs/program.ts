import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A program of ours in a process of its own. */
export interface Program {
  /** The port that it listens on, if it does. */
  port: number | undefined;
  /** Everything that it has written. */
  log: () => string;
  /** Asks it to stop and waits until it has. */
  stop: () => Promise<void>;
}

/**
 * Starts a program and waits until it says that it is ready.
 * @throws Error with what it wrote when it ends before that
 */
export async function startProgram(file: string, environment: Record<string, string>): Promise<Program> {
  const child = fork(file, { silent: true, execArgv: [], env: environment });
  let log = '';
  child.stdout?.on('data', (part: Buffer) => (log += part.toString()));
  child.stderr?.on('data', (part: Buffer) => (log += part.toString()));
  const exited = once(child, 'exit');
  const failed = exited.then(() => Promise.reject(new Error(`${file} ended: ${log}`)));
  // After it was ready, its end is no failure.
  failed.catch(() => undefined);
  const [ready] = (await Promise.race([once(child, 'message'), failed])) as [{ port?: number }];
  return {
    port: ready.port,
    log: () => log,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
