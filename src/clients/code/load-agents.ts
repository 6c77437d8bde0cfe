import { statSync } from 'node:fs';
import path from 'node:path';
import { HoldfastError } from '../../domain/errors.ts';
import { importExports, listFiles, toModule, type CodeModule } from '../../engines/functions/code-modules.ts';
import { resolveHoldfastForCode } from '../../engines/functions/resolve-holdfast.ts';
import { isAgentDefinition, type AgentDefinition } from './define-agent.ts';

/** An agent of the code, and the file that exports it. */
export interface LoadedAgent {
  definition: AgentDefinition;
  /** As messages show it. */
  source: string;
}

/**
 * Loads every agent that is exported by the files of a folder and of the folders in it.
 * @throws HoldfastError `INVALID_INPUT` that names the file which does not load, or the two that share a name
 */
export async function loadAgents(folder: string): Promise<LoadedAgent[]> {
  const place = path.resolve(folder);
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory()) {
    const message = `There is no folder ${folder}. Agents are defined in it, one file each, or name another one with --agents.`;
    throw new HoldfastError('INVALID_INPUT', message);
  }
  resolveHoldfastForCode();
  const loaded = new Map<AgentDefinition, LoadedAgent>();
  for (const module of await listFiles(place)) {
    for (const definition of await importAgents(module)) {
      // A file may re-export an agent of another file.
      if (!loaded.has(definition)) loaded.set(definition, { definition, source: module.source });
    }
  }
  const agents = [...loaded.values()];
  refuseSharedNames(agents);
  return agents;
}

/**
 * Loads the agents that one file exports.
 * @throws HoldfastError `INVALID_INPUT` when the file does not load
 */
export async function loadAgentFile(file: string): Promise<AgentDefinition[]> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new HoldfastError('INVALID_INPUT', `There is no file ${file}.`);
  resolveHoldfastForCode();
  return [...new Set(await importAgents(toModule(file)))];
}

async function importAgents(module: CodeModule): Promise<AgentDefinition[]> {
  try {
    return (await importExports(module)).filter(isAgentDefinition);
  } catch (error) {
    if (!(error instanceof HoldfastError) || !(error.cause instanceof ReferenceError)) throw error;
    const hint = 'Where files import each other, name the agent of the other file by its name, as a text.';
    throw new HoldfastError('INVALID_INPUT', `${error.message}. ${hint}`, { cause: error.cause });
  }
}

function refuseSharedNames(agents: LoadedAgent[]): void {
  const sources = new Map<string, string>();
  for (const { definition, source } of agents) {
    const other = sources.get(definition.name);
    if (other !== undefined) {
      const message = `${source} has an agent "${definition.name}", but so has ${other}: each needs a name of its own.`;
      throw new HoldfastError('INVALID_INPUT', message);
    }
    sources.set(definition.name, source);
  }
}
