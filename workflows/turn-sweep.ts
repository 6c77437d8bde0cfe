import {
  ActivityFailure,
  continueAsNew,
  isCancellation,
  patched,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { SweepResults } from '../src/contract/sweep-steps.ts';
import type { TurnSweepInput } from '../src/contract/turn-steps.ts';
import { listSweeps, runSweep, sweepTurns } from './activities.ts';

/**
 * Sweeps every `intervalMs` for `durationMs`, and ends with the last result of each sweep; a schedule starts the next
 * workflow. A workflow for each sweep would crowd turns out of the list in the Web UI.
 */
export function turnSweep(input: TurnSweepInput): Promise<SweepResults> {
  return patched('sweeps-side-by-side') ? sweepSideBySide(input) : sweepInTurn(input);
}

/** Runs all sweeps side by side. A sweep that takes longer than the interval delays no other one. */
async function sweepSideBySide({ intervalMs, durationMs }: TurnSweepInput): Promise<SweepResults> {
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

/** Runs all sweeps as one activity, as the release before did. A sweep that fails is left to the next one. */
async function sweepInTurn({ intervalMs, durationMs }: TurnSweepInput): Promise<SweepResults> {
  const endsAt = workflowInfo().runStartTime.getTime() + durationMs;
  for (;;) {
    const result = await sweepOnce();
    if (Date.now() + intervalMs >= endsAt) return result;
    await sleep(intervalMs);
  }
}

async function sweepOnce(): Promise<SweepResults> {
  try {
    return await sweepTurns();
  } catch (error) {
    if (error instanceof ActivityFailure && !isCancellation(error)) return {};
    throw error;
  }
}
