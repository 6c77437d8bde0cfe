import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A program of Holdfast in a separate process. */
export interface Program {
  /** The port that the program listens on, if any. */
  port: number | undefined;
  /** Returns the output of the program so far. */
  log: () => string;
  /** Asks the program to stop and waits until it has ended. */
  stop: () => Promise<void>;
  /** Kills the program as a crash would. */
  kill: () => Promise<void>;
}

/**
 * Starts a program and waits until it reports that it is ready. `onOutput` gets all of its output each time it grows.
 * @throws Error with the output of the program when it ends before that
 */
export async function startProgram(
  file: string,
  environment: Record<string, string>,
  onOutput: (log: string) => void = () => undefined,
): Promise<Program> {
  const child = fork(file, { silent: true, execArgv: [], env: environment });
  let log = '';
  const append = (part: Buffer) => {
    log += part.toString();
    onOutput(log);
  };
  child.stdout?.on('data', append);
  child.stderr?.on('data', append);
  const exited = once(child, 'exit');
  const failed = exited.then(() => Promise.reject(new Error(`${file} ended: ${log}`)));
  // The end of a program that was ready is no failure.
  failed.catch(() => undefined);
  const [ready] = (await Promise.race([once(child, 'message'), failed])) as [{ port?: number }];
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };
  return {
    port: ready.port,
    log: () => log,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}
