import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { ScriptedApi } from '../servers/scripted-api.ts';
import { startCommand, type CliOutput, type CliResult } from './command-run.ts';
import { runInFolder } from './folder-cli.ts';

export type { CliResult } from './command-run.ts';

const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;

const main = path.resolve('src/main/holdfast.ts');

/** A run of the program that has not ended yet. */
interface CliRun {
  output: Readonly<CliOutput>;
  /** Resolves once stdout has held the text; rejects when the program ends without it. */
  shows(text: string): Promise<void>;
  ended: Promise<CliResult>;
}

/** A command that runs in the process of the test. */
export interface StartedCli extends CliRun {
  /** Writes to the standard input. */
  type: (text: string) => void;
}

/** A run of the program as a process. */
export interface SpawnedCli extends CliRun {
  child: ChildProcessWithoutNullStreams;
}

/** How to run a command. */
interface CliOptions {
  environment?: NodeJS.ProcessEnv;
  /** Whether its streams are those of a terminal. @default false */
  isTerminal?: boolean;
}

/** How to run the program as a process. */
interface SpawnOptions {
  environment?: NodeJS.ProcessEnv;
  cwd?: string;
  /** The executable and its first arguments. @default this Node with the program's main file */
  command?: [file: string, ...rest: string[]];
}

/** Starts a command in this process. Its input ends when the test does. */
export function startCli(words: string[], options: CliOptions = {}): StartedCli {
  const { stdin, output, onOutput, ended } = startCommand(words, options);
  onTestFinished(() => void stdin.end());
  const type = (text: string) => void stdin.write(text);
  return { output, shows: createShows(output, onOutput, ended), ended, type };
}

/** Starts the program as a separate process, which is killed when the test ends first: for what concerns the process. */
export function spawnCli(
  words: string[],
  { environment, cwd, command: [file, ...rest] = [process.execPath, main] }: SpawnOptions = {},
): SpawnedCli {
  const child = spawn(file, [...rest, ...words], {
    cwd,
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...environment },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output: CliOutput = { stdout: '', stderr: '' };
  const listeners: (() => void)[] = [];
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<CliResult>((resolve) => {
    child.once('close', (code) => resolve({ code, ...output }));
  });
  const onOutput = (listener: () => void) => void listeners.push(listener);
  return { child, output, shows: createShows(output, onOutput, ended), ended };
}

function createShows(
  output: CliOutput,
  onOutput: (listener: () => void) => void,
  ended: Promise<CliResult>,
): CliRun['shows'] {
  return async (text) => {
    const found = Promise.withResolvers<undefined>();
    const look = () => {
      if (output.stdout.includes(text)) found.resolve(undefined);
    };
    onOutput(look);
    look();
    const result = await Promise.race([found.promise, ended]);
    if (result && !output.stdout.includes(text))
      throw new Error(`ended without it: ${JSON.stringify(result)}`);
  };
}

/**
 * Runs a command to its end, with the input on stdin: in the process of the test, or with `cwd` in one that takes that working
 * directory.
 */
export function runCli(
  words: string[],
  {
    environment = {},
    cwd,
    input = '',
  }: { environment?: NodeJS.ProcessEnv; cwd?: string; input?: string } = {},
): Promise<CliResult> {
  if (cwd !== undefined) return runInFolder({ words, cwd, environment, input });
  const { stdin, ended } = startCommand(words, { environment });
  stdin.end(input);
  return ended;
}

/** Runs the program as a process to its end, without input. */
export function runSpawned(words: string[], options: SpawnOptions = {}): Promise<CliResult> {
  const { child, ended } = spawnCli(words, options);
  child.stdin.end();
  return ended;
}

/** Returns the environment with the address and key of a scripted API. */
export function toEnvironment(api: ScriptedApi): NodeJS.ProcessEnv {
  return { HOLDFAST_URL: api.baseUrl, HOLDFAST_API_KEY: api.apiKey };
}
