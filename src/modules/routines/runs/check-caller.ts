import { createRoutineRunRepository } from './routine-run-repository.ts';
import { createTurnRepository } from '../../turns/turn-repository.ts';
import type { Actor } from '../../../domain/actor.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { isSamePerson } from '../../../domain/person.ts';
import type { RoutineDependencies } from '../routine-dependencies.ts';

interface RunOfCaller {
  runId: string;
  /** The turn that reads or controls the run. */
  callerTurnId: string;
}

/**
 * Refuses a turn that would read or control a run, unless both act for the same person, or both for no person. The run is
 * then not found: the model of a turn chooses the id.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function checkCaller(
  { database }: Pick<RoutineDependencies, 'database'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  { runId, callerTurnId }: RunOfCaller,
): Promise<void> {
  const [run, person, own] = await database.pipelined(workspaceId, (query) => {
    const turns = createTurnRepository(query);
    return Promise.all([
      createRoutineRunRepository(query).getRun(runId),
      turns.getPerson(runId),
      turns.getPerson(callerTurnId),
    ]);
  });
  if (!isSamePerson(person ?? '', own ?? ''))
    throw new HoldfastError('NOT_FOUND', `There is no run ${run.id} of this person.`);
}
