import { createRoutineRunRepository } from './routine-run-repository.ts';
import { toRowScope } from '../../../domain/row-scope.ts';
import { createTurnRepository } from '../../turns/turn-repository.ts';
import type { Viewer } from '../../../domain/actor.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { RoutineRunDetails } from '../../../domain/routine.ts';
import { checkPerson } from '../../workspaces/stored-work.ts';
import { readRun } from './read-run.ts';
import type { RoutineCommand, RoutineDependencies } from '../routine-dependencies.ts';

type ControlDependencies = Pick<RoutineDependencies, 'database' | 'readRoutine' | 'controlRoutine'>;

interface RunCommand {
  runId: string;
  command: RoutineCommand;
}

/**
 * Pauses, resumes or stops a run; the same command again changes nothing. The stop of a run whose workflow is stuck is
 * stored, and the sweeper ends the run.
 * @throws HoldfastError `NOT_FOUND`; `FORBIDDEN` for a key of another person; `CONFLICT` when the run has ended;
 * `WORKFLOW_STUCK` when a stuck run is to pause or resume
 */
export async function controlRun(
  dependencies: ControlDependencies,
  caller: Viewer,
  { runId, command }: RunCommand,
): Promise<RoutineRunDetails> {
  const run = await dependencies.database.pipelined(toRowScope(caller), (query) =>
    createRoutineRunRepository(query).getRun(runId),
  );
  checkPerson({ actsFor: caller.actsFor ?? null }, { kind: 'run', person: run.startedBy?.actingFor ?? null });
  if (run.settledAt !== null) {
    throw new HoldfastError('CONFLICT', `The run is ${run.status}, so it cannot be told to ${command.name}.`);
  }
  await sendCommand(dependencies, caller, { runId, command });
  return readRun(dependencies, caller, runId);
}

/**
 * Sends a command to the workflow of a run, or stores the stop of one that is stuck.
 * @throws HoldfastError `CONFLICT` when the run has ended; `WORKFLOW_STUCK` when a stuck run is to pause or resume
 */
export async function sendCommand(
  { database, controlRoutine }: Pick<ControlDependencies, 'database' | 'controlRoutine'>,
  { workspaceId }: Viewer,
  { runId, command }: RunCommand,
): Promise<void> {
  try {
    await controlRoutine(runId, command);
  } catch (error) {
    const isStuck = error instanceof HoldfastError && error.code === 'WORKFLOW_STUCK';
    if (!isStuck || command.name !== 'stop') throw error;
    await database.transact(workspaceId, (query) => createTurnRepository(query).requestCancel(runId));
  }
}
