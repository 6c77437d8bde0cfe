import type { Command } from 'commander';
import { getContext } from '../clients/cli/command-context.ts';
import type * as adminCommands from './admin-commands.ts';

/** The heading in the help text of the commands that work on the database. */
export const helpGroup =
  'Commands that work on the database itself, beside "npm start" or with DATABASE_URL:';

/** Runs a command of the administrator, and sets the exit code. */
export async function runCommand<Flags extends adminCommands.AdminFlags>(
  command: Command,
  action: adminCommands.AdminCommand<Flags>,
): Promise<void> {
  const { runAdminCommand } = await import('./admin-commands.ts');
  const context = getContext(command);
  context.setExitCode(await runAdminCommand(context, command.optsWithGlobals<Flags>(), action));
}
