import type { Command } from 'commander';
import { createHoldfastClient } from '../client/index.ts';
import { findApiAccess, type ApiFlags } from './api-access.ts';
import type { ChatServices } from './chat-services.ts';
import { getContext } from './command-context.ts';
import { loadClientConfig } from './client-config.ts';
import { describeError } from './describe-error.ts';
import { createTerminal } from './terminal.ts';
import type { OutputOptions } from './output.ts';
import { toVisible } from './visible-text.ts';

type Action<Options> = (services: ChatServices, options: ApiFlags & Options) => Promise<unknown>;

/**
 * Finds the API, runs the action with the options of the command, and sets the exit code; prints a sentence and sets 1 when
 * the action fails.
 */
export async function run<Options extends object>(command: Command, action: Action<Options>): Promise<void> {
  const context = getContext(command);
  const options = command.optsWithGlobals<ApiFlags & Options>();
  const terminal = createTerminal(context.stdout, context);
  const warn = (line: string) => void context.stderr.write(`${toVisible(line)}\n`);
  let baseUrl: string | undefined;
  try {
    const access = findApiAccess(options, loadClientConfig(context.environment));
    baseUrl = access.baseUrl;
    const services = { client: createHoldfastClient(access), terminal, baseUrl, warn, context };
    const code = await action(services, options);
    context.setExitCode(typeof code === 'number' ? code : 0);
  } catch (error) {
    terminal.freshLine();
    describeError(error, baseUrl).forEach(warn);
    context.setExitCode(1);
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
      await run<Options>(command, (services, options) => action(services, id, options));
    });
}

type ListAction = (services: ChatServices, options: OutputOptions) => Promise<void>;

/** Adds a command that lists something. */
export function addList(parent: Command, action: ListAction, name = 'list'): Command {
  return parent
    .command(name)
    .option('--json', 'print JSON')
    .action(async (_options: unknown, command: Command) => {
      await run<OutputOptions>(command, action);
    });
}
