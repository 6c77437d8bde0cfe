import { Command, Help } from 'commander';
import { addCommands } from '../clients/cli/add-commands.ts';
import { listOptionHelp } from '../clients/cli/list-option.ts';
import { commandTables } from './command-tables.ts';

/**
 * Builds the command line `holdfast`. With words it has what these need: the commands of the noun that they name, otherwise
 * the names of all commands. Its help lists all commands, nested ones too.
 */
export async function createProgram(version: string, words?: readonly string[]): Promise<Command> {
  const program = new Command('holdfast')
    .description('Talk to the agents of a Holdfast, look at their turns, and administer it.')
    .configureHelp({
      showGlobalOptions: true,
      visibleCommands: (command) => command.commands.flatMap(listLeaves),
      subcommandTerm: (command) => `${toPath(command)}${toParameters(command)}`,
    })
    .version(version)
    .option('--url <url>', 'where the API is (default: HOLDFAST_URL, else the one started here)')
    .option('--key <key>', 'the API key (default: HOLDFAST_API_KEY, else the development key)')
    .option('--data <folder>', 'the folder that "npm start" keeps its data in');
  program.addHelpText('after', `\n${listOptionHelp}`);
  const noun = words && findNoun(words);
  const named = commandTables.filter((table) => noun !== undefined && table.words.includes(noun));
  const hasOptions = words === undefined || named.length > 0;
  const { operationFields = {} } = hasOptions
    ? await import('../clients/cli/generated/operation-fields.ts')
    : {};
  for (const table of named.length > 0 ? named : commandTables)
    addCommands(program, (await table.load()).commands, operationFields);
  return program;
}

/** Returns the first word of a command line behind options of the program and their values, and behind `help`. */
function findNoun(words: readonly string[]): string | undefined {
  const [word = '', ...rest] = words;
  if (/^--(url|key|data)$/.test(word)) return findNoun(rest.slice(1));
  return word === 'help' || /^--(url|key|data)=/.test(word) ? findNoun(rest) : word;
}

function listLeaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(listLeaves);
}

/** Returns a command as a person types it: the names of its parent commands, then its own. */
function toPath(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${toPath(parent)} ${command.name()}`;
}

function toParameters(command: Command): string {
  return new Help().subcommandTerm(command).slice(command.name().length);
}
