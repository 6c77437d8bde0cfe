import { createKeylessActor } from '../../src/domain/actor.ts';
import type { PinnedSkill } from '../../src/domain/skill.ts';
import { importSkill } from '../../src/modules/skills/import-skill.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import type { ChatRequestBody, ScriptedToolCall } from '../servers/scripted-model.ts';
import { teaFiles, toImport, writeInstructions } from './skill-files.ts';
import type { TurnLab } from './turn-lab.ts';

/** Imports a skill with a new name into the workspace of a lab, and returns the pin of its version. */
export async function pinTea(
  { database, workspaceId }: Pick<TurnLab, 'database' | 'workspaceId'>,
  { name = `tea-${newId()}`, body = 'Boil water.', files = teaFiles } = {},
): Promise<PinnedSkill> {
  const source = toImport({ ...files, 'SKILL.md': writeInstructions({ name, body }) });
  const run = { source, signal: new AbortController().signal };
  const { skill, version } = await importSkill({ database }, createKeylessActor(workspaceId, 'api'), run);
  const { description } = version;
  return { skillId: skill.id, version: version.version, name, description };
}

/** The calls of the tools that read skills. */
export const load = ({ name }: Pick<PinnedSkill, 'name'>): ScriptedToolCall => ({
  name: 'load_skill',
  arguments: { name },
});
export const readFile = (
  { name: skill }: Pick<PinnedSkill, 'name'>,
  path: string,
  offset?: number,
): ScriptedToolCall => ({
  name: 'read_skill_resource',
  arguments: { path, skill, ...(offset !== undefined && { offset }) },
});

/** The instructions of a request to a model, and the names of its tools. */
export function readOffer({ messages, tools = [] }: ChatRequestBody) {
  const instructions = messages.find(({ role }) => role === 'system')?.content ?? '';
  return { instructions, tools: tools.map(({ function: { name } }) => name) };
}

/** The results of tools in a request to a model, in their order. */
export function readResults({ messages }: ChatRequestBody): string[] {
  return messages.flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []));
}
