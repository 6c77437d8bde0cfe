import { execFile } from 'node:child_process';

const maxBuffer = 16 * 1024 * 1024;

interface CommandOptions {
  timeoutMs: number;
  environment?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Stops the command. */
  signal?: AbortSignal;
}

/** How a command ended; `output` is what it wrote to its standard output. */
export type CommandEnding = { succeeded: true; output: string } | { succeeded: false; problem: string };

/** Runs a short command without a shell, and returns every failure as a value. */
export function runCommand(
  file: string,
  commandArguments: string[],
  options: CommandOptions,
): Promise<CommandEnding> {
  const { timeoutMs, environment, cwd, signal } = options;
  return new Promise((resolve) => {
    execFile(
      file,
      commandArguments,
      { timeout: timeoutMs, killSignal: 'SIGTERM', env: environment, cwd, signal, maxBuffer },
      (error, stdout, stderr) => {
        if (error === null) resolve({ succeeded: true, output: stdout });
        else if (signal?.aborted === true) resolve({ succeeded: false, problem: 'stopped' });
        else if (error.killed) resolve({ succeeded: false, problem: `no end after ${timeoutMs / 1000} s` });
        else resolve({ succeeded: false, problem: lastLines(stderr) || error.message });
      },
    );
  });
}

function lastLines(text: string): string {
  const tail = text.trim().split('\n').slice(-3).join(' | ');
  return tail.length > 240 ? `${tail.slice(0, 240)} …` : tail;
}
