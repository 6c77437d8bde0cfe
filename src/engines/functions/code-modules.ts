import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { HoldfastError } from '../../domain/errors.ts';
import { isJsonObject } from '../../domain/json.ts';
import { findPlace, findSyntaxError, toShown, type CodeLocation } from './code-location.ts';

const codeFile = /(?<!\.d|\.test|\.spec)\.(?:m?js|m?ts)$/;

/** A file or package of the operator's code. */
export interface CodeModule {
  /** The name of the module in messages. */
  source: string;
  specifier: string;
}

/** Lists the files of code in a folder and in the folders in it. */
export async function listFiles(folder: string): Promise<CodeModule[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sorted = entries
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const nested = sorted.map(async (entry) => {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) return await listFiles(place);
    return codeFile.test(entry.name) ? [toModule(place)] : [];
  });
  return (await Promise.all(nested)).flat();
}

/** A file as a module. */
export function toModule(file: string): CodeModule {
  return { source: toShown(file), specifier: pathToFileURL(file).href };
}

/**
 * Imports a module and returns what it exports.
 * @throws HoldfastError `INVALID_INPUT` that names the module, and the line that is wrong
 */
export async function importExports({ source, specifier }: CodeModule): Promise<unknown[]> {
  try {
    return listExports((await import(specifier)) as Record<string, unknown>);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${toPlaceText(source, findErrorPlace(error, specifier))} cannot be loaded: ${reason}`;
    throw new HoldfastError('INVALID_INPUT', message, { cause: error });
  }
}

function findErrorPlace(error: unknown, specifier: string): CodeLocation | undefined {
  const place = findPlace(error);
  if (place || !(error instanceof SyntaxError) || !specifier.startsWith('file:')) return place;
  return findSyntaxError(fileURLToPath(specifier));
}

/** The line is often in another file, which the module imports. */
function toPlaceText(source: string, place: CodeLocation | undefined): string {
  if (!place) return source;
  const text = `${place.file}:${place.line}`;
  return place.file === source ? text : `${source} (${text})`;
}

/** The exports of a CommonJS file are its `default`; Node finds only some of them by name. */
function listExports(exported: Record<string, unknown>): unknown[] {
  const { default: whole } = exported;
  return [...Object.values(exported), ...(isJsonObject(whole) ? Object.values(whole) : [])];
}
