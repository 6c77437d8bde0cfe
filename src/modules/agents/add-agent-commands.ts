import type { Command } from 'commander';
import { deleteAgent, listAgents, renameAgent } from './agent-commands.ts';
import { addList, addOneId, run } from '../../clients/cli/command.ts';
import type { OutputOptions } from '../../clients/cli/output.ts';

/** Adds the commands of agents; `push` and `pull` are those of their configuration. */
export function addAgents(program: Command): void {
  const agents = program.command('agents').description('Look at agents, rename and delete them.');
  addList(agents, listAgents).description('List the agents of the workspace.');
  agents
    .command('rename')
    .argument('<agent>', 'its id or its name')
    .argument('<name>', 'its new name')
    .description('Give an agent another name, in a new version.')
    .option('--json', 'print JSON')
    .action(async (...given: unknown[]) => {
      const [agent, name, , command] = given as [string, string, unknown, Command];
      await run<OutputOptions>(command, (services, options) =>
        renameAgent(services, { agent, name }, options),
      );
    });
  addOneId<OutputOptions & { yes?: boolean }>(agents, 'delete <agent>', deleteAgent)
    .description('Delete an agent by its id or its name. Its conversations can still be read.')
    .option('--yes', 'do not ask before it is deleted');
}
