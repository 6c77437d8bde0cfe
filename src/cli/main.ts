import { Command } from 'commander';
import { createHoldfastClient } from '../client/index.ts';
import { loadClientConfig } from './client-config.ts';
import { runChat, type ChatOptions, type ChatServices } from './chat.ts';
import { findConnection, type ConnectionFlags } from './connection.ts';
import { describeError } from './describe-error.ts';
import { createTerminal } from './terminal.ts';
import { cancelTurn, listAgents, listTurns, showTurn, type OutputOptions } from './turns.ts';

const terminal = createTerminal(process.stdout);

type Action = (room: ChatServices) => Promise<unknown>;

/** Finds the API, runs the command, and ends with its exit code or with a sentence and 1. */
async function run(flags: ConnectionFlags, action: Action): Promise<void> {
  let baseUrl: string | undefined;
  try {
    const connection = findConnection(flags, loadClientConfig());
    baseUrl = connection.baseUrl;
    const code = await action({ client: createHoldfastClient(connection), terminal, baseUrl });
    process.exitCode = typeof code === 'number' ? code : 0;
  } catch (error) {
    terminal.freshLine();
    for (const line of describeError(error, baseUrl)) console.error(line);
    process.exitCode = 1;
  }
}

function addChat(program: Command): void {
  program
    .command('chat')
    .description('Talk to an agent: one turn for a message given here, else one for each line of the input.')
    .argument('[message...]', 'hold a single turn with this message')
    .option('--once <message>', 'the same, as an option')
    .option('--agent <id or name>', 'the agent to talk to (default: the demo agent, else the first)')
    .option('--conversation <id>', 'continue this conversation')
    .option('--verbose', 'show arguments, results and token counts')
    .option('--json', 'print the events as lines of JSON')
    .action(async (words: string[], _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ConnectionFlags & ChatOptions & { once?: string }>();
      const message = options.once ?? (words.length > 0 ? words.join(' ') : undefined);
      await run(options, (room) => runChat(room, message, options));
    });
}

type OneIdAction = (room: ChatServices, id: string, options: OutputOptions) => Promise<void>;

function addOneId(parent: Command, usage: string, action: OneIdAction): Command {
  return parent
    .command(usage)
    .option('--json', 'print JSON')
    .action(async (id: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ConnectionFlags & OutputOptions>();
      await run(options, (room) => action(room, id, options));
    });
}

function addTurns(program: Command): void {
  const turns = program.command('turns').description('Look at turns and stop them.');
  addOneId(turns, 'show <turn>', showTurn).description('Show the timeline and the answer of a turn.');
  addOneId(turns, 'cancel <turn>', cancelTurn).description('Ask a turn to stop.');
  addOneId(turns, 'list <conversation>', listTurns).description('List the turns of a conversation.');
}

function addAgents(program: Command): void {
  program
    .command('agents')
    .description('Look at agents.')
    .command('list')
    .description('List the agents of the workspace.')
    .option('--json', 'print JSON')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ConnectionFlags & OutputOptions>();
      await run(options, (room) => listAgents(room, options));
    });
}

function createProgram(): Command {
  const program = new Command('holdfast')
    .description('Talk to the agents of a Holdfast and look at their turns.')
    .option('--url <url>', 'where the API is (default: HOLDFAST_URL, else the one started here)')
    .option('--key <key>', 'the API key (default: HOLDFAST_API_KEY, else the development key)')
    .option('--data <folder>', 'the folder that "npm start" keeps its data in');
  addChat(program);
  addTurns(program);
  addAgents(program);
  return program;
}

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

await createProgram().parseAsync();
