import type { Command } from 'commander';
import type { PullOptions, PushOptions } from './code-commands.ts';
import { run } from './command.ts';
import { createListOption } from './list-option.ts';

// Loaded when one of the commands runs.
const load = () => import('./code-commands.ts');

/** Adds the commands that bring the agents of the code to a workspace, and back. */
export function addCode(program: Command): void {
  program
    .command('push')
    .description('Bring the agents of the folder agents/ to the workspace.')
    .option('--agents <folder>', 'the folder (default: HOLDFAST_AGENTS, else agents)')
    .option('--dry-run', 'only show the difference; exit with 2 when there is one')
    .option('--prune', 'delete agents of earlier pushes that are in no file now')
    .option('--yes', 'do not ask before agents are deleted')
    .option(
      '--project <name>',
      'the project that new agents are made for (default: the name in package.json)',
    )
    .option('--json', 'print JSON')
    .action(async (_options: unknown, command: Command) => {
      await run<PushOptions>(command, async (services, options) => (await load()).runPush(services, options));
    });
  program
    .command('pull')
    .description('Write the agents of the workspace to files in the folder agents/.')
    .option('--agents <folder>', 'the folder (default: HOLDFAST_AGENTS, else agents)')
    .addOption(createListOption('--agent <name...>', 'only these agents, by name or id'))
    .option('--force', 'replace files that differ from the workspace')
    .option('--json', 'print JSON')
    .action(async (_options: unknown, command: Command) => {
      await run<PullOptions>(command, async (services, options) => (await load()).runPull(services, options));
    });
}
