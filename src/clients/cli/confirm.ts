import { createInterface } from 'node:readline/promises';
import { HoldfastError } from '../../domain/errors.ts';
import type { CommandContext } from './command-context.ts';
import { toVisible } from './visible-text.ts';

interface ConfirmOptions {
  context: Pick<CommandContext, 'stdin' | 'stdout'>;
  /** Whether `--yes` was given. */
  yes?: boolean | undefined;
  /** Whether the output is for a program. */
  json?: boolean | undefined;
  /** The sentence about a command that was not confirmed, such as "Nothing was deleted." */
  refusal: string;
}

/**
 * Asks a person a question before something is deleted.
 * @throws HoldfastError `INVALID_INPUT` when no person can be asked, or the answer is no
 */
export async function confirm(
  question: string,
  { context, yes, json, refusal }: ConfirmOptions,
): Promise<void> {
  if (yes) return;
  const { stdin, stdout } = context;
  if (json || !stdin.isTTY || !stdout.isTTY)
    throw new HoldfastError('INVALID_INPUT', `${question} Say so with --yes. ${refusal}`);
  const prompt = createInterface({ input: stdin, output: stdout });
  const answer = await prompt.question(`${toVisible(question)} (y/N) `).finally(() => prompt.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new HoldfastError('INVALID_INPUT', refusal);
}
