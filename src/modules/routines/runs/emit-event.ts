import type { Logger } from 'pino';
import { createRoutineEventRepository, type RoutineEventRepository } from './routine-event-repository.ts';
import { toActorRef, type Actor } from '../../../domain/actor.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { toViewerKey } from '../../../domain/row-scope.ts';
import type { RoutineEvent } from '../../../domain/routine.ts';
import { newId } from '../../../platform/lib/ids.ts';
import type { RoutineDependencies } from '../routine-dependencies.ts';

interface EmitParts {
  emit: RoutineEventRepository['emit'];
  wakeRoutine: RoutineDependencies['wakeRoutine'];
  logger: Pick<Logger, 'warn'>;
}

/** Stores an event once, and wakes the runs that listen and that it reaches. One that cannot be notified polls later. */
export async function emitStoredEvent(
  { emit, wakeRoutine, logger }: EmitParts,
  event: Parameters<RoutineEventRepository['emit']>[0],
): Promise<void> {
  const listening = await emit(event);
  await Promise.all(
    listening.map((runId) =>
      wakeRoutine(runId).catch((error: unknown) =>
        logger.warn({ err: error, runId }, 'a routine that listens was not told of an event'),
      ),
    ),
  );
}

/**
 * Emits an event of a program to the runs of its workspace, and for one person alone to those of that person; the id of the
 * event is that of its answer.
 */
export async function emitEvent(
  { database, wakeRoutine, logger }: Pick<RoutineDependencies, 'database' | 'wakeRoutine' | 'logger'>,
  actor: Pick<Actor, 'workspaceId' | 'apiKeyId' | 'actsFor'> & Partial<Pick<Actor, 'reach'>>,
  input: RoutineEvent,
): Promise<{ id: string }> {
  const id = newId();
  const given = JSON.parse(JSON.stringify(input)) as JsonObject;
  const event = { id: input.id ?? id, time: new Date().toISOString(), ...given };
  await emitStoredEvent(
    {
      emit: (one) =>
        database.pipelined(actor.workspaceId, (query) => createRoutineEventRepository(query).emit(one)),
      ...{ wakeRoutine, logger },
    },
    { id, runId: null, by: [toActorRef(actor, undefined)], person: toViewerKey(actor), event },
  );
  return { id: event.id };
}
