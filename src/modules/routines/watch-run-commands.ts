import type { CommandServices, Given } from '../../clients/cli/command-table.ts';
import { printJson } from '../../clients/cli/output.ts';
import type { RoutineRun, RoutineStep } from '../../domain/routine.ts';

/** How often a run is read, in milliseconds. */
const pollMs = 500;

/** Prints each step of a run whenever its state changes, until the run has ended. Answers 1 when it did not complete. */
export async function watchRun(
  { client, terminal }: CommandServices,
  { id, options: { json } }: Given,
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
      else for (const line of toEndLines(run)) terminal.line(line);
      return run.status === 'completed' ? 0 : 1;
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** Returns a step of a run as a line. */
export function toStepLine({ number, name, state, waitsFor, outputPreview }: RoutineStep): string {
  return `  ${number}. ${name}  ${state}  ${waitsFor ?? outputPreview ?? ''}`.trimEnd();
}

/** Returns the lines about the end of a run; none for one that still runs. */
export function toEndLines({ error, output, settledAt }: RoutineRun): string[] {
  return [
    ...(error ? [`error: ${JSON.stringify(error)}`] : []),
    ...(settledAt === null ? [] : [`output: ${JSON.stringify(output)}`]),
  ];
}
