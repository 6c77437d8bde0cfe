import { operation, type CommandTable } from '../../clients/cli/command-table.ts';
import { findOneAgent } from '../../clients/cli/find-agent.ts';
import { toCount } from '../../clients/cli/format.ts';

/** The commands of agents; `push` and `pull` are those of their configuration. */
export const commands: CommandTable = {
  agents: 'Look at agents, rename and delete them.',
  'agents list': operation('listAgents', {
    description: 'List the agents of the workspace.',
    none: 'There is no agent yet.',
    line: ({ id, name, model, version, tools }) => [
      id,
      name,
      model,
      `version ${version}`,
      toCount(tools.length, 'tool'),
    ],
  }),
  'agents rename <agent> <name>': operation('updateAgent', {
    description: 'Give an agent another name, in a new version.',
    words: { agent: 'its id or its name', name: 'its new name' },
    fields: false,
    find: findOneAgent,
    lines: ({ id, name, version }) => `Agent ${id} is named "${name}" now, in version ${version}.`,
  }),
  'agents delete <agent>': operation('deleteAgent', {
    description: 'Delete an agent by its id or its name. Its conversations can still be read.',
    fields: false,
    find: findOneAgent,
    question: ({ id, name }) => `Delete the agent "${name}" (${id})? Its conversations can still be read.`,
    lines: (_, { found: { id, name } }) => `Agent "${name}" (${id}) is deleted.`,
  }),
};
