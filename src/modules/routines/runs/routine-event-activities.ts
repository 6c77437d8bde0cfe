import { emitStoredEvent } from './emit-event.ts';
import { toStepId } from './run-ids.ts';
import type { RoutineSteps } from '../routine-contract.ts';
import type { RoutineActivityDependencies } from '../routine-activity-dependencies.ts';
import { runRoutineStep } from './run-routine-step.ts';

const eventsPerRead = 50;

/** Builds the activities with which runs emit events and listen to them. */
export function createEventActivities(
  dependencies: RoutineActivityDependencies,
): Pick<RoutineSteps, 'emitRoutineEvent' | 'readRoutineEvents'> {
  const { pipelined } = dependencies;
  return {
    emitRoutineEvent: ({ workspaceId, runId, step, event }) =>
      runRoutineStep(() =>
        emitStoredEvent(
          {
            emit: (one) => pipelined(workspaceId, ({ routineEvents }) => routineEvents.emit(one)),
            wakeRoutine: dependencies.routines.wakeRoutine,
            logger: dependencies.logger,
          },
          { id: toStepId(runId, `event ${step}`), runId, by: null, event },
        ),
      ),

    readRoutineEvents: ({ workspaceId, runId, after }) =>
      runRoutineStep(async () => {
        if (after === null) {
          const position = await pipelined(workspaceId, ({ routineEvents }) =>
            routineEvents.beginListening(runId),
          );
          return { position, events: [] };
        }
        const found = await pipelined(workspaceId, ({ routineEvents }) =>
          routineEvents.takeAfter({ runId, position: after, limit: eventsPerRead }),
        );
        return { position: found.at(-1)?.position ?? after, events: found.map(({ event }) => event) };
      }),
  };
}
