import { createRoutineRunRepository } from './routine-run-repository.ts';
import { toRowScope } from '../../../domain/row-scope.ts';
import { findStuck } from '../../../platform/work/stuck-workflow-repository.ts';
import type { Viewer } from '../../../domain/actor.ts';
import type { RoutineRunDetails, RoutineStep } from '../../../domain/routine.ts';
import { pollUntil } from '../../../platform/lib/poll-until.ts';
import type { RoutineDependencies } from '../routine-dependencies.ts';

/** How often a run is read while a caller waits for its end, in milliseconds. */
const lookEveryMs = 150;

/**
 * Reads a run with its newest steps: those that are stored, and those that the workflow of a run that has not ended reports.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function readRun(
  { database, readRoutine }: Pick<RoutineDependencies, 'database' | 'readRoutine'>,
  viewer: Viewer,
  runId: string,
): Promise<RoutineRunDetails> {
  const [run, stored, stuck] = await database.pipelined(toRowScope(viewer), (query) => {
    const runs = createRoutineRunRepository(query);
    return Promise.all([runs.getRun(runId), runs.listNewestSteps(runId), findStuck(query, runId)]);
  });
  if (run.settledAt !== null) return { ...run, steps: stored };
  // The workflow of a run that is stuck answers no query.
  const reported = stuck.stuck ? null : await readRoutine(runId);
  return { ...run, steps: merge(stored, reported?.steps ?? []), ...stuck };
}

function merge(stored: RoutineStep[], reported: RoutineStep[]): RoutineStep[] {
  const steps = new Map([...stored, ...reported].map((step) => [step.number, step]));
  return [...steps.values()].sort((one, other) => one.number - other.number);
}

/** Waits until a run has ended, for so long at most. The signal ends the wait as well. */
export async function waitForRun(
  { database }: Pick<RoutineDependencies, 'database'>,
  viewer: Viewer,
  { runId, waitMs, signal }: { runId: string; waitMs: number; signal: AbortSignal },
): Promise<void> {
  if (waitMs <= 0) return;
  const read = () =>
    database.pipelined(toRowScope(viewer), (query) => createRoutineRunRepository(query).getRun(runId));
  await pollUntil(read, ({ settledAt }) => settledAt !== null, { waitMs, everyMs: lookEveryMs, signal });
}
