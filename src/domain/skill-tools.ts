import type { AgentVersion } from './agent.ts';
import type { PinnedSkill } from './skill.ts';
import { toOneLine } from './text.ts';
import type { Tool, ToolOf } from './tool.ts';

/** The function that reads the instructions of a skill, and the one that reads its other files. */
export const skillLoader = 'load_skill';
export const skillResourceReader = 'read_skill_resource';

/** The ids of the tools, the same for all agents: what is stored about calls names tools by UUIDs. */
const toolIds = {
  [skillLoader]: '6f1d5c0e-3a52-4f0b-9d0c-5b1f2f6c7a01',
  [skillResourceReader]: '6f1d5c0e-3a52-4f0b-9d0c-5b1f2f6c7a02',
};

/** The names of the tools that an agent has because it has skills. */
export const skillToolNames: readonly string[] = [skillLoader, skillResourceReader];

/** The maximum number of characters of a file or of instructions that one call answers with. */
export const skillPageCharacters = 24_000;

/** The largest offset into a file that can be asked for, in characters. */
export const lastSkillOffset = 1_048_576;

/** Whether a tool reads skills of its agent. */
export function isSkillReader(tool: Tool): tool is ToolOf<'function'> {
  return tool.type === 'function' && tool.config.skills !== undefined;
}

/**
 * Returns a version as its turns run it: with the tools that read its skills, which an agent without skills does not have.
 * While it has skills, its own tools of these names are hidden.
 */
export function withSkillTools<Version extends Pick<AgentVersion, 'tools' | 'skills'>>(
  version: Version,
): Version {
  const { tools, skills } = version;
  if (skills.length === 0) return version;
  const own = tools.filter(({ name }) => !skillToolNames.includes(name));
  return { ...version, tools: [...own, ...toSkillTools(skills)] };
}

function toSkillTools(skills: PinnedSkill[]): Tool[] {
  const config = { skills: skills.map(({ skillId, version, name }) => ({ skillId, version, name })) };
  const names = skills.map(({ name }) => name);
  return [
    {
      ...{ id: toolIds[skillLoader], type: 'function', name: skillLoader, config },
      description:
        'Loads the instructions of one of your skills, with the list of its files. Load each once in a turn.',
      schema: {
        type: 'object',
        properties: { name: { type: 'string', enum: names, description: 'The name of the skill' } },
        required: ['name'],
        additionalProperties: false,
      },
    },
    {
      ...{ id: toolIds[skillResourceReader], type: 'function', name: skillResourceReader, config },
      description:
        'Reads a file of one of your skills, such as a reference or a script. Scripts are text here: nothing runs them. ' +
        'Read each once in a turn.',
      schema: {
        type: 'object',
        properties: {
          skill: { type: 'string', enum: names, description: 'The name of the skill' },
          path: {
            type: 'string',
            maxLength: 255,
            description: 'The path of the file, as load_skill lists it',
          },
          offset: {
            type: 'integer',
            minimum: 0,
            maximum: lastSkillOffset,
            description: 'The first character to read, for the rest of a long file',
          },
        },
        required: ['skill', 'path'],
        additionalProperties: false,
      },
    },
  ];
}

/** Returns the instructions of a version as its model gets them: the names and descriptions of its skills follow them. */
export function withSkillList(
  { instructions, skills }: Pick<AgentVersion, 'instructions' | 'skills'>,
  tools: readonly Tool[],
): string {
  if (!tools.some((tool) => tool.name === skillLoader && isSkillReader(tool))) return instructions;
  const lines = skills.map(({ name, description }) => `- ${name}: ${toOneLine(description, 1024)}`);
  return [...(instructions === '' ? [] : [instructions, '']), skillNote, ...lines].join('\n');
}

const skillNote =
  '# Skills\n' +
  'You have skills: instructions for certain tasks, which are not shown here. When a task fits the description of one, call ' +
  `${skillLoader} with its name before you begin, and follow its instructions as far as your other instructions and rules allow.`;
