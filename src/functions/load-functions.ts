import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { HoldfastError } from '../domain/errors.ts';
import { isJsonObject } from '../domain/json.ts';
import { type FunctionDefinition, isFunctionDefinition } from './define-function.ts';
import { fromWorkingDirectory, resolveHoldfastForFunctions } from './resolve-holdfast.ts';

const defaultFolder = 'functions';
const functionFile = /(?<!\.d|\.test|\.spec)\.(?:m?js|m?ts)$/;
const packageName = /^(?:@[\w.-]+\/)?[\w-][\w.-]*$/;

/** A function and the file or package that it comes from. */
export interface LoadedFunction {
  definition: FunctionDefinition;
  source: string;
}

interface FunctionModule {
  /** The name of the source in messages. */
  source: string;
  specifier: string;
}

/**
 * Loads every function that is exported by the files of a folder (and of the folders in it), by one file or by a
 * package. Without a source it is the folder `functions` of the working directory, if there is one.
 * @throws HoldfastError `INVALID_INPUT` that names the file which does not load, or the two that share a name
 */
export async function loadFunctions(source: string | undefined): Promise<LoadedFunction[]> {
  const modules = await listModules(source);
  if (modules.length > 0) resolveHoldfastForFunctions();
  const loaded = new Map<FunctionDefinition, LoadedFunction>();
  for (const each of modules) {
    for (const definition of await importFunctions(each)) {
      // A file may re-export a function of another file.
      if (!loaded.has(definition)) loaded.set(definition, { definition, source: each.source });
    }
  }
  return checkNames([...loaded.values()]);
}

async function listModules(source: string | undefined): Promise<FunctionModule[]> {
  const place = path.resolve(source ?? defaultFolder);
  const found = statSync(place, { throwIfNoEntry: false });
  if (found?.isDirectory()) return listFiles(place);
  if (source === undefined) return [];
  if (found) return [toModule(place)];
  if (packageName.test(source)) return [{ source, specifier: fromWorkingDirectory + source }];
  const message = `HOLDFAST_FUNCTIONS names neither a folder, nor a file, nor a package: found "${source}".`;
  throw new HoldfastError('INVALID_INPUT', message);
}

async function listFiles(folder: string): Promise<FunctionModule[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sorted = entries
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const nested = sorted.map(async (entry) => {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) return await listFiles(place);
    return functionFile.test(entry.name) ? [toModule(place)] : [];
  });
  return (await Promise.all(nested)).flat();
}

function toModule(file: string): FunctionModule {
  const relative = path.relative('', file);
  return { source: relative.startsWith('..') ? file : relative, specifier: pathToFileURL(file).href };
}

async function importFunctions({ source, specifier }: FunctionModule): Promise<FunctionDefinition[]> {
  try {
    const exported = (await import(specifier)) as Record<string, unknown>;
    return listExports(exported).filter(isFunctionDefinition);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HoldfastError('INVALID_INPUT', `${source} cannot be loaded: ${reason}`, { cause: error });
  }
}

/** The exports of a CommonJS file are its `default`; Node finds only some of them by name. */
function listExports(exported: Record<string, unknown>): unknown[] {
  const { default: whole } = exported;
  return [...Object.values(exported), ...(isJsonObject(whole) ? Object.values(whole) : [])];
}

function checkNames(functions: LoadedFunction[]): LoadedFunction[] {
  const sources = new Map<string, string>();
  for (const { definition, source } of functions) {
    const other = sources.get(definition.name);
    if (other !== undefined) {
      const message = `${source} has a function "${definition.name}", but so has ${other}: each needs a name of its own.`;
      throw new HoldfastError('INVALID_INPUT', message);
    }
    sources.set(definition.name, source);
  }
  return functions;
}
