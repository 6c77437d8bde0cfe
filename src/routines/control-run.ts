import { createRoutineRunRepository } from '../db/routines/routine-run-repository.ts';
import type { Principal } from '../domain/api-key.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { RoutineRunDetails } from '../domain/routine.ts';
import { readRun } from './read-run.ts';
import type { RoutineCommand, RoutineDependencies } from './routine-dependencies.ts';

/**
 * Pauses, resumes or stops a run; the same command again changes nothing.
 * @throws HoldfastError `NOT_FOUND`; `CONFLICT` when the run has ended
 */
export async function controlRun(
  dependencies: Pick<RoutineDependencies, 'database' | 'readRoutine' | 'controlRoutine'>,
  principal: Pick<Principal, 'workspaceId'>,
  { runId, command }: { runId: string; command: RoutineCommand },
): Promise<RoutineRunDetails> {
  const run = await dependencies.database.pipelined(principal.workspaceId, (query) =>
    createRoutineRunRepository(query).getRun(runId),
  );
  if (run.settledAt !== null) {
    throw new HoldfastError('CONFLICT', `The run is ${run.status}, so it cannot be told to ${command.name}.`);
  }
  await dependencies.controlRoutine(runId, command);
  return readRun(dependencies, principal, runId);
}
