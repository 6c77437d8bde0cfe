import { continueAsNew, sleep, workflowInfo } from '@temporalio/workflow';
import type { SweepResults } from '../src/contract/sweep-steps.ts';
import type { TurnSweepInput } from '../src/contract/turn-steps.ts';
import { listSweeps, runSweep } from './activities.ts';

/**
 * Runs all sweeps side by side every `intervalMs` for `durationMs`, and ends with the last result of each sweep; a schedule starts the next
 * workflow. A workflow for each sweep would crowd turns out of the list in the Web UI. A sweep that takes longer than the interval delays
 * no other one.
 */
export async function turnSweep({ intervalMs, durationMs }: TurnSweepInput): Promise<SweepResults> {
  const { runStartTime } = workflowInfo();
  const endsAt = runStartTime.getTime() + durationMs;
  const running = new Map<string, Promise<void>>();
  const results: SweepResults = {};
  const begin = async (name: string): Promise<void> => {
    results[name] = await runSweep(name).catch(() => 'failed' as const);
    running.delete(name);
  };
  for (;;) {
    const { sweeps } = await listSweeps();
    for (const name of sweeps) if (!running.has(name)) running.set(name, begin(name));
    if (Date.now() + intervalMs >= endsAt || workflowInfo().continueAsNewSuggested) break;
    await sleep(intervalMs);
  }
  await Promise.all(running.values());
  const leftMs = endsAt - Date.now();
  if (leftMs > intervalMs) await continueAsNew<typeof turnSweep>({ intervalMs, durationMs: leftMs });
  return results;
}
