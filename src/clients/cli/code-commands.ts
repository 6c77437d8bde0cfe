import { action, type CommandTable } from './command-table.ts';
import type { PullOptions, PushOptions } from './push-and-pull.ts';

const folder = { '--agents <folder>': 'the folder (default: HOLDFAST_AGENTS, else agents)' };

/** The commands that bring the agents of the code to a workspace, and back. */
export const commands: CommandTable = {
  push: action<PushOptions>({
    description: 'Bring the agents of the folder agents/ to the workspace.',
    options: {
      ...folder,
      '--dry-run': 'only show the difference; exit with 2 when there is one',
      '--prune': 'delete agents of earlier pushes that are in no file now',
      '--yes': 'do not ask before agents are deleted',
      '--project <name>': 'the project that new agents are made for (default: the name in package.json)',
      '--json': 'print JSON',
    },
    run: async (services, { options }) => (await import('./push-and-pull.ts')).runPush(services, options),
  }),
  pull: action<PullOptions>({
    description: 'Write the agents of the workspace to files in the folder agents/.',
    options: {
      ...folder,
      '--agent <name...>': { text: 'only these agents, by name or id', list: true },
      '--force': 'replace files that differ from the workspace',
      '--json': 'print JSON',
    },
    run: async (services, { options }) => (await import('./push-and-pull.ts')).runPull(services, options),
  }),
};
