import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * The absolute path of a program: an absolute path itself, or a plain name found on a search path.
 * Null when it is not there, and for relative paths, whose meaning would change with the working directory.
 */
export function findCommand(command: string, searchPath: string): string | null {
  if (isAbsolute(command)) return isProgram(command) ? command : null;
  if (command.includes('/')) return null;
  const candidates = searchPath
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, command));
  return candidates.find(isProgram) ?? null;
}
