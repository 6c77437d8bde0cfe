import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { prettyFactory } from 'pino-pretty';
import { prettyOptions } from '../logger.ts';
import type { Say } from './say.ts';

interface OutputOptions {
  dataDir: string;
  name: string;
  say: Say;
  /** Whether everything is shown, such as each request. */
  verbose: boolean;
  /** Whether a person reads at a terminal; otherwise lines are shown as they are. */
  isTerminal: boolean;
}

/** The number by which pino writes the level `warn`. */
const warning = 40;

/**
 * Creates a function that takes the lines of a program, of all its processes one after the other: all go to a file of the folder
 * `logs`, which is new, and warnings, errors and lines that are no log to the terminal as well.
 */
export function createProgramOutput(options: OutputOptions): (line: string) => void {
  const { dataDir, name, say, verbose, isTerminal } = options;
  const file = toLogFile(dataDir, name);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // The file is deleted and created again, because a log of another user may not be writable.
  rmSync(file, { force: true });
  const log = createWriteStream(file, { mode: 0o600 });
  // A full disk takes no more lines, and everything else continues.
  log.on('error', () => undefined);
  const pretty = prettyFactory({ ...prettyOptions, colorize: true });
  return (line) => {
    log.write(`${line}\n`);
    if (!verbose && readLevel(line) < warning) return;
    say(`${name.padEnd(6)} | ${isTerminal ? pretty(line).trimEnd() : line}`);
  };
}

/** Returns the path of the file with the lines of a program. */
export function toLogFile(dataDir: string, name: string): string {
  return path.join(dataDir, 'logs', `${name}.log`);
}

/** Returns the level of a line of pino; that of a warning for anything else. */
function readLevel(line: string): number {
  try {
    const { level } = JSON.parse(line) as { level?: unknown };
    return typeof level === 'number' ? level : warning;
  } catch {
    return warning;
  }
}
