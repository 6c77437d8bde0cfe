import { CommanderError } from 'commander';
import { useContext, type CommandContext } from '../clients/cli/command-context.ts';
import { createProgram } from './create-program.ts';
import { packageVersion } from './package-version.ts';

/** Parses the words of a command line and runs their command, with only that loaded. */
export async function runWords(words: readonly string[], context: CommandContext): Promise<void> {
  const program = await createProgram(packageVersion, words);
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
