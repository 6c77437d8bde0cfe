import { CommanderError } from 'commander';
import { useContext, type CommandContext } from '../clients/cli/command-context.ts';
import { addAdminCommands } from './admin.ts';
import { createProgram } from './create-program.ts';
import { packageVersion } from './package-version.ts';

/**
 * Runs a command of the program `holdfast`: one that calls the API, or one of the administrator. Reports the exit code to
 * the context.
 */
export async function runProgram(words: readonly string[], context: CommandContext): Promise<void> {
  const program = createProgram(packageVersion);
  addAdminCommands(program);
  useContext(program, context);
  const groups = program.commands.filter(({ commands }) => commands.length > 0);
  for (const group of [program, ...groups]) group.showHelpAfterError();
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    // The help or the error is printed already.
    if (!(error instanceof CommanderError)) throw error;
    context.setExitCode(error.exitCode);
  }
}
