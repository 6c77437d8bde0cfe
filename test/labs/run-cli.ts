import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { ScriptedApi } from '../servers/scripted-api.ts';

const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;

const main = path.resolve('src/main/holdfast.ts');

/** How a run of the program ended. */
export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A run of the program that has not ended yet. */
export interface CliRun {
  child: ChildProcessWithoutNullStreams;
  /** Resolves once stdout has held the text; rejects when the program ends without it. */
  shows(text: string): Promise<void>;
  ended: Promise<CliResult>;
}

/** How to run the program. */
export interface CliOptions {
  environment?: NodeJS.ProcessEnv;
  cwd?: string;
  /** The executable and its first arguments. @default this Node with the program's main file */
  command?: [file: string, ...rest: string[]];
}

/** Starts the program as a separate process, which is killed when the test ends first. */
export function startCli(
  commandArguments: string[],
  { environment, cwd, command: [file, ...rest] = [process.execPath, main] }: CliOptions = {},
): CliRun {
  const child = spawn(file, [...rest, ...commandArguments], {
    cwd,
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...environment },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const ended = new Promise<CliResult>((resolve) => {
    child.once('close', (code) => resolve({ code, ...output }));
  });
  const shows = async (text: string) => {
    const found = Promise.withResolvers<undefined>();
    const look = () => {
      if (output.stdout.includes(text)) found.resolve(undefined);
    };
    child.stdout.on('data', look);
    look();
    const result = await Promise.race([found.promise, ended]);
    if (result && !output.stdout.includes(text))
      throw new Error(`ended without it: ${JSON.stringify(result)}`);
  };
  return { child, shows, ended };
}

/** Runs the program to its end, with the input on stdin. */
export async function runCli(
  commandArguments: string[],
  { input = '', ...options }: CliOptions & { input?: string } = {},
): Promise<CliResult> {
  const run = startCli(commandArguments, options);
  run.child.stdin.end(input);
  return run.ended;
}

/** Returns the environment with the address and key of a scripted API. */
export function toEnvironment(api: ScriptedApi): NodeJS.ProcessEnv {
  return { HOLDFAST_URL: api.baseUrl, HOLDFAST_API_KEY: api.apiKey };
}
