import type { Command } from 'commander';
import { createHoldfastClient } from '../client/index.ts';
import { findApiAccess, type ApiFlags } from './api-access.ts';
import type { ChatServices } from './chat-services.ts';
import { loadClientConfig } from './client-config.ts';
import { describeError } from './describe-error.ts';
import { createTerminal } from './terminal.ts';
import type { OutputOptions } from './output.ts';
import { toVisible } from './visible-text.ts';

type Action = (services: ChatServices) => Promise<unknown>;

/** Finds the API, runs the command, and sets its exit code; prints a sentence and sets 1 when the command fails. */
export async function run(flags: ApiFlags, action: Action): Promise<void> {
  const terminal = createTerminal(process.stdout);
  let baseUrl: string | undefined;
  try {
    const access = findApiAccess(flags, loadClientConfig());
    baseUrl = access.baseUrl;
    const code = await action({ client: createHoldfastClient(access), terminal, baseUrl });
    process.exitCode = typeof code === 'number' ? code : 0;
  } catch (error) {
    terminal.freshLine();
    for (const line of describeError(error, baseUrl)) console.error(toVisible(line));
    process.exitCode = 1;
  }
}

/** The action of a command that takes an id. A number that it answers is the exit code. */
export type OneIdAction<Options> = (services: ChatServices, id: string, options: Options) => Promise<unknown>;

/** Adds a command whose argument is an id. */
export function addOneId<Options extends OutputOptions>(
  parent: Command,
  usage: string,
  action: OneIdAction<Options>,
): Command {
  return parent
    .command(usage)
    .option('--json', 'print JSON')
    .action(async (id: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ApiFlags & Options>();
      await run(options, (services) => action(services, id, options));
    });
}

type ListAction = (services: ChatServices, options: OutputOptions) => Promise<void>;

/** Adds a command that lists something. */
export function addList(parent: Command, action: ListAction, name = 'list'): Command {
  return parent
    .command(name)
    .option('--json', 'print JSON')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ApiFlags & OutputOptions>();
      await run(options, (services) => action(services, options));
    });
}
