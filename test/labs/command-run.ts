import { PassThrough, Writable } from 'node:stream';
import type { CommandContext } from '../../src/clients/cli/command-context.ts';
import { runProgram } from '../../src/main/run-program.ts';

/** How a run of the program ended. */
export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The texts that a command has printed so far, by stream. */
export interface CliOutput {
  stdout: string;
  stderr: string;
}

interface CommandOptions {
  environment?: NodeJS.ProcessEnv | undefined;
  /** Whether the streams are those of a terminal. */
  isTerminal?: boolean | undefined;
}

/** A command of the program that runs in this process. */
export interface CommandRun {
  stdin: PassThrough;
  output: CliOutput;
  /** Calls the listener after each piece of output. */
  onOutput: (listener: () => void) => void;
  /** Rejects with an error that would end the process. */
  ended: Promise<CliResult>;
}

/** Starts a command of the program in this process, with its own streams, environment and exit code. */
export function startCommand(words: readonly string[], options: CommandOptions = {}): CommandRun {
  const { environment = {}, isTerminal = false } = options;
  const output: CliOutput = { stdout: '', stderr: '' };
  const listeners: (() => void)[] = [];
  const capture = (name: keyof CliOutput) =>
    new Writable({
      decodeStrings: false,
      write: (piece: string | Buffer, _encoding, done) => {
        output[name] += piece.toString();
        for (const listener of listeners) listener();
        done();
      },
    });
  const stdin = Object.assign(new PassThrough(), { isTTY: isTerminal });
  const { promise: left, resolve: leave } = Promise.withResolvers<undefined>();
  let code = 0;
  const setExitCode = (given: number) => {
    code = given;
  };
  const context: CommandContext = {
    environment,
    stdin,
    stdout: Object.assign(capture('stdout'), { isTTY: isTerminal }),
    stderr: capture('stderr'),
    hasColours: isTerminal,
    setExitCode,
    exit: (given) => {
      setExitCode(given);
      leave(undefined);
    },
    // A signal reaches a whole process: tests of signals start one.
    onInterrupt: () => undefined,
  };
  const ended = Promise.race([runProgram(words, context), left]).then(() => ({ code, ...output }));
  return { stdin, output, onOutput: (listener) => listeners.push(listener), ended };
}
