import type { Logger } from 'pino';
import {
  createRoutineEventRepository,
  type RoutineEventRepository,
} from '../db/routines/routine-event-repository.ts';
import type { Actor } from '../domain/actor.ts';
import type { JsonObject } from '../domain/json.ts';
import type { RoutineEvent } from '../domain/routine.ts';
import { newId } from '../lib/ids.ts';
import type { RoutineDependencies } from './routine-dependencies.ts';

interface EmitParts {
  emit: RoutineEventRepository['emit'];
  wakeRoutine: RoutineDependencies['wakeRoutine'];
  logger: Pick<Logger, 'warn'>;
}

/** Stores an event once, and wakes the runs of the workspace that listen. One that cannot be told looks by itself later. */
export async function emitStoredEvent(
  { emit, wakeRoutine, logger }: EmitParts,
  event: { id: string; runId: string | null; event: JsonObject },
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

/** Emits an event of a program to the runs of its workspace; the id of the event is that of its answer. */
export async function emitEvent(
  { database, wakeRoutine, logger }: Pick<RoutineDependencies, 'database' | 'wakeRoutine' | 'logger'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  input: RoutineEvent,
): Promise<{ id: string }> {
  const id = newId();
  const given = JSON.parse(JSON.stringify(input)) as JsonObject;
  const event = { id: input.id ?? id, time: new Date().toISOString(), ...given };
  await emitStoredEvent(
    {
      emit: (one) =>
        database.pipelined(workspaceId, (query) => createRoutineEventRepository(query).emit(one)),
      ...{ wakeRoutine, logger },
    },
    { id, runId: null, event },
  );
  return { id: event.id };
}
