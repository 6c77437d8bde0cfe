import type { CommandContext } from '../clients/cli/command-context.ts';
import { packageVersion } from './package-version.ts';

/**
 * Runs a command of the program `holdfast`: one that calls the API, or one of the administrator. Reports the exit code to
 * the context.
 */
export async function runProgram(words: readonly string[], context: CommandContext): Promise<void> {
  // Scripts ask for the version alone, which needs no command.
  if (words.length === 1 && ['--version', '-V'].includes(words[0] ?? '')) {
    context.stdout.write(`${packageVersion}\n`);
    return;
  }
  const { runWords } = await import('./run-words.ts');
  await runWords(words, context);
}
