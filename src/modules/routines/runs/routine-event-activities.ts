import type { ActorRef } from '../../../domain/actor.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { toOwnerKey } from '../../../domain/person.ts';
import { toViewerKey } from '../../../domain/row-scope.ts';
import { findActor } from '../../workspaces/stored-actor.ts';
import { emitStoredEvent } from './emit-event.ts';
import { toStepId } from './run-ids.ts';
import type { RoutineSteps } from '../routine-contract.ts';
import type { RoutineActivityDependencies } from '../routine-activity-dependencies.ts';
import { runRoutineStep } from '../run-routine-step.ts';

const eventsPerRead = 50;

/** Builds the activities with which runs emit events and listen to them. */
export function createEventActivities(
  dependencies: RoutineActivityDependencies,
): Pick<RoutineSteps, 'emitRoutineEvent' | 'readRoutineEvents'> {
  const { pipelined } = dependencies;
  return {
    emitRoutineEvent: ({ workspaceId, runId, step, event }) =>
      runRoutineStep(async () => {
        const emitters = await findEmitters(dependencies, { workspaceId, runId });
        await emitStoredEvent(
          {
            emit: (one) => pipelined(workspaceId, ({ routineEvents }) => routineEvents.emit(one)),
            wakeRoutine: dependencies.routines.wakeRoutine,
            logger: dependencies.logger,
          },
          { id: toStepId(runId, `event ${step}`), runId, ...emitters, event },
        );
      }),

    readRoutineEvents: ({ workspaceId, runId, after }) =>
      runRoutineStep(async () => {
        if (after === null) {
          const position = await pipelined(workspaceId, ({ routineEvents }) =>
            routineEvents.beginListening(runId),
          );
          return { position, events: [] };
        }
        return pipelined(workspaceId, ({ routineEvents }) =>
          routineEvents.takeAfter({ runId, position: after, limit: eventsPerRead }),
        );
      }),
  };
}

/**
 * Returns who emits an event of a run. It reaches the runs of one person alone when a participant of the run acts for that
 * person alone, and when one may not act any more.
 */
async function findEmitters(
  { pipelined, routines: { database } }: RoutineActivityDependencies,
  { workspaceId, runId }: { workspaceId: string; runId: string },
): Promise<{ by: ActorRef[]; person: string | null }> {
  const by = await pipelined(workspaceId, ({ routineEvents }) => routineEvents.listParticipants(runId));
  const acting = { workspaceId, makers: by, rights: [], work: `the run ${runId}` };
  const actor = await database.pipelined(workspaceId, (query) => findActor(query, acting));
  if (!(actor instanceof HoldfastError)) return { by, person: toViewerKey(actor) };
  return { by, person: toOwnerKey(by.find(({ actingFor }) => actingFor !== null)?.actingFor) };
}
