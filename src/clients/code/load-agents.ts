import { statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { HoldfastError } from '../../domain/errors.ts';
import { importExports, listFiles, toModule, type CodeModule } from '../../engines/functions/code-modules.ts';
import { resolveHoldfastForCode } from '../../engines/functions/resolve-holdfast.ts';
import { isInSkillFolder, readLocalSkills, toSkillFolder } from './local-skills.ts';
import type { PortableSkill } from './portable.ts';
import { isAgentDefinition, type AgentDefinition } from './define-agent.ts';

/** An agent of the code, and the file that exports it. */
export interface LoadedAgent {
  definition: AgentDefinition;
  /** As messages show it. */
  source: string;
  /** The skills in the folder beside the file. */
  skills: PortableSkill[];
  /** The folder of its skills, which need not exist. */
  skillFolder: string;
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
    const file = fileURLToPath(module.specifier);
    if (isInSkillFolder(place, file)) continue;
    const skillFolder = toSkillFolder(file);
    const skills = await readLocalSkills(skillFolder);
    for (const definition of await importAgents(module)) {
      // A file may re-export an agent of another file.
      if (!loaded.has(definition))
        loaded.set(definition, { definition, source: module.source, skills, skillFolder });
    }
  }
  const agents = [...loaded.values()];
  refuseSharedNames(agents);
  refuseSharedSkills(agents);
  return agents;
}

/** The skills of a folder belong to one agent. */
function refuseSharedSkills(agents: LoadedAgent[]): void {
  for (const { definition, source, skills, skillFolder } of agents) {
    const other = agents.find((one) => one.definition !== definition && one.skillFolder === skillFolder);
    if (!other || skills.length === 0) continue;
    const names = `"${definition.name}" and "${other.definition.name}"`;
    const message = `${source} has several agents, ${names}, and a folder of skills: give the agent with skills a file of its own.`;
    throw new HoldfastError('INVALID_INPUT', message);
  }
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
