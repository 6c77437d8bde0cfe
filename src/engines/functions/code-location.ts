import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A line of the operator's code. */
export interface CodeLocation {
  /** Relative to the working directory, if it is in there. */
  file: string;
  line: number;
}

/** The folder of Holdfast itself, whose frames in a stack are not the operator's. */
const ownFolder = pathToFileURL(`${path.resolve(import.meta.dirname, '../..')}${path.sep}`).href;

/**
 * The line above the excerpt of a file that is no valid code. Node names the file by its path where no package.json says of
 * which kind its modules are, and by its URL elsewhere.
 */
const excerptPattern = /^(\/.+|[A-Za-z]:\\.+):(\d+)$/;

/** A frame of a stack, or the line above an excerpt with a URL. */
const framePattern = /(file:\/\/[^\s?()]+?)(?:\?[^\s():]*)?:(\d+)(?::\d+)?\)?$/;

/** Finds the line of the operator's code that an error is about: the innermost frame of its stack that is not Holdfast's. */
export function findPlace(error: unknown): CodeLocation | undefined {
  const lines = (error instanceof Error ? (error.stack ?? '') : '').split('\n');
  const [, file, at] = excerptPattern.exec(lines[0] ?? '') ?? [];
  if (file !== undefined) return { file: toShown(file), line: Number(at) };
  for (const line of lines) {
    const [, url = '', number] = framePattern.exec(line.trim()) ?? [];
    if (number === undefined || url.startsWith(ownFolder) || url.includes('/node_modules/')) continue;
    return { file: toShown(fileURLToPath(url)), line: Number(number) };
  }
  return undefined;
}

/**
 * Finds the line of a syntax error in a JavaScript file, which Node prints only when it checks that file alone (`--check`).
 * Files in TypeScript have the line in their error.
 */
export function findSyntaxError(file: string): CodeLocation | undefined {
  if (!/\.m?js$/.test(file)) return undefined;
  const { stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' });
  const [, line] = /^\S+:(\d+)$/m.exec(stderr) ?? [];
  return line === undefined ? undefined : { file: toShown(file), line: Number(line) };
}

/** A path as messages show it. */
export function toShown(file: string): string {
  const relative = path.relative('', file);
  return relative.startsWith('..') ? file : relative;
}
