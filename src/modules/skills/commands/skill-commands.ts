import type { Agent, HoldfastClient, Skill } from '../../../clients/client/index.ts';
import { action, operation, type CommandTable, type Given } from '../../../clients/cli/command-table.ts';
import { findOneAgent } from '../../../clients/cli/find-agent.ts';
import { invalid } from '../../../clients/cli/option-values.ts';
import { readAll } from '../../../clients/cli/pages.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { toOneLine } from '../../../domain/text.ts';
import { isUuid } from '../../../domain/uuid.ts';

/** The options of commands that may name a version. */
export interface VersionOptions {
  /** @default the newest version */
  skillVersion?: string;
}

const version = { '--skill-version <number>': 'this version (default: the newest)' };
const ofAgent = {
  words: { agent: 'its id or its name', skill: 'its id or its name' },
  fields: false,
} as const;

/** The commands of skills. */
export const commands: CommandTable = {
  skills: 'Import skills in the open Agent Skills format, and give them to agents.',
  'skills list': operation('listSkills', {
    description: 'List the skills.',
    none: 'The workspace has no skills.',
    line: (skill) => [skill.id, skill.name, `version ${skill.version}`, toOneLine(skill.description, 80)],
  }),
  'skills import <place>': operation('importSkill', {
    description:
      'Import a skill from its folder, or from a ZIP or tar archive; changed files make a new version.',
    fields: false,
    call: async ({ client }, { id: place }) =>
      client.skills.import(await (await import('./skill-files.ts')).readSkill(place)),
    lines: ({ skill: { id, name }, version: { version: number, fileCount, bytes } }) =>
      `Skill ${id} is "${name}" with these files in version ${number}: ${fileCount} files, ${bytes} bytes.`,
  }),
  'skills show <skill>': operation('getSkillVersion', {
    description: 'Show the instructions and the files of a skill, by its id or name.',
    options: version,
    find: findSkill,
    call: ({ client }, { found, options }: Given<VersionOptions, Skill>) =>
      client.skills.versions.get(found.id, toVersion(found, options)),
    lines: ({ name, version: number, digest, description, body, files }) => [
      `${name}, version ${number}, ${digest}`,
      description,
      '',
      body,
      '',
      ...files.map(({ path, bytes, mediaType }) => `${path}  ${mediaType}  ${bytes} bytes`),
    ],
  }),
  'skills versions <skill>': operation('listSkillVersions', {
    description: 'List the versions of a skill.',
    find: findSkill,
    line: ({ version: number, digest, createdAt, fileCount }) => [
      `version ${number}`,
      createdAt,
      `${fileCount} files`,
      digest,
    ],
  }),
  'skills export <skill>': action<VersionOptions & { out?: string }>({
    description: 'Write the files of a skill into a folder with its name.',
    options: {
      ...version,
      '--out <folder>': 'where the folder is made (default: here)',
      '--json': 'print JSON',
    },
    run: async (services, { id: word, options }) => {
      const skill = await findSkill(services.client, word);
      const pin = { id: skill.id, number: toVersion(skill, options) };
      await (await import('./skill-files.ts')).exportSkill(services, pin, options);
    },
  }),
  'skills give <agent> <skill>': operation('updateAgent', {
    description: 'Give a version of a skill to an agent, in a new version of the agent.',
    ...ofAgent,
    options: version,
    find: findOneAgent,
    call: giveSkill,
    lines: toGivenLine,
  }),
  'skills take <agent> <skill>': operation('updateAgent', {
    description: 'Take a skill from an agent, in a new version of the agent.',
    ...ofAgent,
    find: findOneAgent,
    input: ({ found, words: [, word = ''] }) => {
      const { skillId } = getPin(found, word);
      return { skills: toPins(found, skillId), version: found.version };
    },
    lines: ({ name, version: number }, { found, words: [, word = ''] }) =>
      `Agent "${name}" does not use "${getPin(found, word).name}" in its version ${number}.`,
  }),
  'skills delete <skill>': operation('deleteSkill', {
    description: 'Delete a skill with its versions.',
    find: findSkill,
    question: ({ id, name }) => `Delete the skill "${name}" (${id}) with its versions?`,
    lines: (_, { found: { id, name } }) => `Skill "${name}" (${id}) is deleted.`,
  }),
};

async function giveSkill(
  { client }: { client: HoldfastClient },
  { found: agent, words: [, word = ''], options }: Given<VersionOptions, Agent>,
): Promise<Agent> {
  const skill = await findSkill(client, word);
  const pin = { skillId: skill.id, version: toVersion(skill, options) };
  const skills = [...toPins(agent, skill.id), pin];
  return client.agents.update(agent.id, { skills, version: agent.version });
}

function toGivenLine(agent: Agent, { words: [, word = ''] }: Given): string {
  const pin = getPin(agent, word);
  return `Agent "${agent.name}" uses version ${pin.version} of "${pin.name}" in its version ${agent.version}.`;
}

/** The skills of an agent without one of them, as an agent is given them. */
function toPins({ skills }: Agent, without: string) {
  const others = skills.filter(({ skillId }) => skillId !== without);
  return others.map(({ skillId, version: number }) => ({ skillId, version: number }));
}

function getPin({ name: agentName, skills }: Agent, word: string): Agent['skills'][number] {
  const found = skills.find(({ skillId, name }) => skillId === word || name === word);
  if (found) return found;
  throw new HoldfastError('NOT_FOUND', `The agent "${agentName}" does not use a skill "${word}".`);
}

function toVersion(skill: Skill, { skillVersion }: VersionOptions): number {
  const number = skillVersion === undefined ? skill.version : Number(skillVersion);
  if (Number.isInteger(number) && number > 0) return number;
  throw invalid(`--skill-version is "${skillVersion}": expected a number above 0.`);
}

async function findSkill(client: HoldfastClient, word: string): Promise<Skill> {
  if (isUuid(word)) return client.skills.get(word);
  const all = await readAll((page) => client.skills.list(page));
  const found = all.find(({ name }) => name === word);
  if (found) return found;
  const names = all.map(({ name }) => name).toSorted();
  const known = names.join(', ') || 'none';
  throw new HoldfastError('NOT_FOUND', `There is no skill "${word}". There are: ${known}.`);
}
