import type { ChatServices } from '../../clients/cli/chat-services.ts';
import { printRunEnd, toStepLine } from './routine-commands.ts';
import { printJson, type OutputOptions } from '../../clients/cli/output.ts';

/** How often a run is read, in milliseconds. */
const pollMs = 500;

/** Prints each step of a run whenever its state changes, until the run has ended. Answers 1 when it did not complete. */
export async function watchRun(
  { client, terminal }: Pick<ChatServices, 'client' | 'terminal'>,
  id: string,
  { json }: OutputOptions,
): Promise<number> {
  const printed = new Set<string>();
  const print = (line: string) => {
    if (!json && !printed.has(line)) terminal.line(line);
    printed.add(line);
  };
  for (;;) {
    const run = await client.routineRuns.get(id);
    for (const step of run.steps) print(toStepLine(step));
    if (run.settledAt !== null) {
      if (json) printJson(terminal, run);
      else printRunEnd(terminal, run);
      return run.status === 'completed' ? 0 : 1;
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
