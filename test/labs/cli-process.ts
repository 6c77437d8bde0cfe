// Runs commands of the program for `folder-cli.ts`, each in a working directory, until the test process ends.
import { beginGeneration } from '../../src/engines/functions/resolve-holdfast.ts';
import { startCommand } from './command-run.ts';
import type { CommandAnswer, CommandRequest } from './folder-cli.ts';

let running = 0;

async function answer({ id, words, cwd, environment, input }: CommandRequest): Promise<CommandAnswer> {
  if (running > 0 && process.cwd() !== cwd)
    return { id, error: `A command still runs in ${process.cwd()}: commands in several folders take turns.` };
  running += 1;
  try {
    process.chdir(cwd);
    // The files of the folder may have changed since the last command.
    beginGeneration();
    const run = startCommand(words, { environment });
    run.stdin.end(input);
    return { id, result: await run.ended };
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    running -= 1;
  }
}

process.on('message', (request: CommandRequest) => {
  void answer(request).then((answered) => process.send?.(answered));
});
process.once('disconnect', () => process.exit());
