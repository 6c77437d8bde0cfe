import type { Command } from 'commander';
import type { ChatServices } from '../../../clients/cli/chat-services.ts';
import { addList, addOneId, run } from '../../../clients/cli/command.ts';
import type { OutputOptions } from '../../../clients/cli/output.ts';
import type { VersionOptions } from './skill-commands.ts';

// Loaded when one of the commands runs.
const load = () => import('./skill-commands.ts');

/** Adds the commands of skills. */
export function addSkills(program: Command): void {
  const skills = program
    .command('skills')
    .description('Import skills in the open Agent Skills format, and give them to agents.');
  addList(skills, async (...given) => (await load()).listSkills(...given)).description('List the skills.');
  addOneId(skills, 'import <place>', async (...given) => (await load()).importSkill(...given)).description(
    'Import a skill from its folder, or from a ZIP or tar archive; changed files make a new version.',
  );
  addOneId<VersionOptions>(skills, 'show <skill>', async (...given) => (await load()).showSkill(...given))
    .description('Show the instructions and the files of a skill, by its id or name.')
    .option('--skill-version <number>', 'this version (default: the newest)');
  addOneId(skills, 'versions <skill>', async (...given) => (await load()).listVersions(...given)).description(
    'List the versions of a skill.',
  );
  addOneId<VersionOptions & { out?: string }>(skills, 'export <skill>', async (...given) =>
    (await load()).exportSkill(...given),
  )
    .description('Write the files of a skill into a folder with its name.')
    .option('--skill-version <number>', 'this version (default: the newest)')
    .option('--out <folder>', 'where the folder is made (default: here)');
  addOfAgent<VersionOptions>(skills, 'give', async (...given) => (await load()).giveSkill(...given))
    .description('Give a version of a skill to an agent, in a new version of the agent.')
    .option('--skill-version <number>', 'this version (default: the newest)');
  addOfAgent(skills, 'take', async (...given) => (await load()).takeSkill(...given)).description(
    'Take a skill from an agent, in a new version of the agent.',
  );
  addOneId<OutputOptions & { yes?: boolean }>(skills, 'delete <skill>', async (...given) =>
    (await load()).deleteSkill(...given),
  )
    .description('Delete a skill with its versions.')
    .option('--yes', 'do not ask before it is deleted');
}

type AgentAction<Options> = (
  services: ChatServices,
  named: { agent: string; skill: string },
  options: Options,
) => Promise<unknown>;

function addOfAgent<Options extends OutputOptions>(
  parent: Command,
  name: string,
  action: AgentAction<Options>,
): Command {
  return parent
    .command(name)
    .argument('<agent>', 'its id or its name')
    .argument('<skill>', 'its id or its name')
    .option('--json', 'print JSON')
    .action(async (...given: unknown[]) => {
      const [agent, skill, , command] = given as [string, string, unknown, Command];
      await run<Options>(command, (services, options) => action(services, { agent, skill }, options));
    });
}
