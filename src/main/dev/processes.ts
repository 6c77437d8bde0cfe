import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeNote } from './process-notes.ts';

/** A command to run, with its output going into a file, or line by line to a function. */
export interface ProcessOrder {
  name: string;
  file: string;
  arguments: string[];
  environment: NodeJS.ProcessEnv;
  cwd?: string;
  output: { logFile: string } | { line: (line: string) => void };
  /** Opens a message channel, over which the process says when it is ready. */
  messages?: boolean;
  /** The folder for a note of the process id, with which a later start cleans up. */
  noteFolder?: string;
}

/** How a process ended. */
export interface ProcessEnding {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process that this one started. */
export interface ManagedProcess {
  name: string;
  pid: number;
  child: ChildProcess;
  exited: Promise<ProcessEnding>;
  /** How it ended; undefined while it runs. */
  ending: () => ProcessEnding | undefined;
  /** Sends one signal after the other, with waits between them, until the process has ended. */
  stop: (manner?: StopManner) => Promise<ProcessEnding>;
}

/** The signals that end a process. */
export interface StopManner {
  signals?: NodeJS.Signals[];
  /** How long to wait after each signal, in milliseconds. */
  graceMs?: number;
}

/**
 * Starts a process in its own group, so that Ctrl-C at the terminal reaches only this process, which then
 * stops the others one after the other.
 * @throws Error when it cannot be started at all
 */
export async function startProcess(order: ProcessOrder): Promise<ManagedProcess> {
  const logFile = 'logFile' in order.output ? openLog(order.output.logFile) : undefined;
  const child = spawn(order.file, order.arguments, {
    cwd: order.cwd,
    env: order.environment,
    detached: true,
    stdio: toStdio(logFile, order.messages ?? false),
  });
  const exited = new Promise<ProcessEnding>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) =>
      reject(new Error(`Cannot start ${order.name}: ${cause.message}`, { cause })),
    );
  }).finally(() => logFile !== undefined && closeSync(logFile));
  keepTrack(child, order);
  if ('line' in order.output) readLines([child.stdout, child.stderr], order.output.line);
  return toManaged(order.name, child, exited);
}

/** The last lines that a process wrote to its log file. */
export function readLogTail(logFile: string): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-12).join('\n');
}

/** "code 1", or "signal SIGKILL". */
export function describeEnding({ code, signal }: ProcessEnding): string {
  return signal === null ? `code ${code ?? 'unknown'}` : `signal ${signal}`;
}

function toManaged(name: string, child: ChildProcess, exited: Promise<ProcessEnding>): ManagedProcess {
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} has no process id.`);
  let ending: ProcessEnding | undefined;
  void exited.then((value) => (ending = value));
  const stop = async ({ signals = ['SIGTERM', 'SIGKILL'], graceMs = 10_000 }: StopManner = {}) => {
    for (const signal of signals) {
      if (ending !== undefined) return ending;
      child.kill(signal);
      const waiting = new AbortController();
      const wait = sleep(graceMs, undefined, { signal: waiting.signal }).catch(() => undefined);
      await Promise.race([exited, wait]);
      waiting.abort();
    }
    return exited;
  };
  return { name, pid, child, exited, ending: () => ending, stop };
}

const living = new Set<ChildProcess>();

// When this process ends by anything but SIGKILL, it kills the processes that it started.
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

function keepTrack(child: ChildProcess, { name, noteFolder }: ProcessOrder): void {
  living.add(child);
  const removeNote = noteFolder === undefined ? undefined : writeNote(noteFolder, name, child.pid ?? 0);
  child.once('exit', () => {
    living.delete(child);
    removeNote?.();
  });
}

function openLog(file: string): number {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // The file is deleted and created again, because a log of another user may not be writable.
  rmSync(file, { force: true });
  return openSync(file, 'w', 0o600);
}

// The process writes to the log file itself, so that it can continue when this process is killed.
function toStdio(logFile: number | undefined, messages: boolean): StdioOptions {
  const output = logFile ?? 'pipe';
  return messages ? ['ignore', output, output, 'ipc'] : ['ignore', output, output];
}

function readLines(streams: (Readable | null)[], take: (line: string) => void): void {
  for (const stream of streams) if (stream) createInterface({ input: stream }).on('line', take);
}
