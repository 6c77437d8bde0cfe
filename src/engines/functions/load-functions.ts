import { statSync } from 'node:fs';
import path from 'node:path';
import { HoldfastError } from '../../domain/errors.ts';
import { importExports, listFiles, toModule, type CodeModule } from './code-modules.ts';
import { type FunctionDefinition, isFunctionDefinition } from './define-function.ts';
import { fromWorkingDirectory, resolveHoldfastForCode } from './resolve-holdfast.ts';

const defaultFolder = 'functions';
const packageName = /^(?:@[\w.-]+\/)?[\w-][\w.-]*$/;

/** A function and the file or package that it comes from. */
export interface LoadedFunction {
  definition: FunctionDefinition;
  source: string;
}

/**
 * Loads every function that is exported by the files of a folder (and of the folders in it), by one file or by a
 * package. Without a source it is the folder `functions` of the working directory, if there is one.
 * @throws HoldfastError `INVALID_INPUT` that names the file which does not load, or the two that share a name
 */
export async function loadFunctions(source: string | undefined): Promise<LoadedFunction[]> {
  const modules = await listModules(source);
  if (modules.length > 0) resolveHoldfastForCode();
  const loaded = new Map<FunctionDefinition, LoadedFunction>();
  for (const each of modules) {
    for (const definition of (await importExports(each)).filter(isFunctionDefinition)) {
      // A file may re-export a function of another file.
      if (!loaded.has(definition)) loaded.set(definition, { definition, source: each.source });
    }
  }
  return checkNames([...loaded.values()]);
}

async function listModules(source: string | undefined): Promise<CodeModule[]> {
  const place = path.resolve(source ?? defaultFolder);
  const found = statSync(place, { throwIfNoEntry: false });
  if (found?.isDirectory()) return listFiles(place);
  if (source === undefined) return [];
  if (found) return [toModule(place)];
  if (packageName.test(source)) return [{ source, specifier: fromWorkingDirectory + source }];
  const message = `HOLDFAST_FUNCTIONS names neither a folder, nor a file, nor a package: found "${source}".`;
  throw new HoldfastError('INVALID_INPUT', message);
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
