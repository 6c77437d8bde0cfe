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
 * Finds the absolute path of a program, which is given as an absolute path or as a name on the search path. Null when
 * there is no such program, and for relative paths, whose meaning depends on the working directory.
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
