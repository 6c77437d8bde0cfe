import { createReplayRepository } from '../modules/replays/replay-repository.ts';
import { createRoutineRunRepository } from '../modules/routines/runs/routine-run-repository.ts';
import type { Actor, ActorRef } from '../domain/actor.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { JsonObject } from '../domain/json.ts';
import type { Replay, ReplayInput } from '../domain/replay.ts';
import { RoutineError, toProblem } from '../domain/routine-error.ts';
import { asksForLive } from '../modules/replays/asks-for-live.ts';
import { controlReplay } from '../modules/replays/control-replay.ts';
import { createReplay } from '../modules/replays/create-replay.ts';
import type { ReplayDependencies } from '../modules/replays/replay-dependencies.ts';
import { startStoredReplay } from '../modules/replays/start-stored-replay.ts';
import { controlRun } from '../modules/routines/runs/control-run.ts';
import type { RoutineDependencies } from '../modules/routines/routine-dependencies.ts';
import { startRun } from '../modules/routines/runs/start-run.ts';
import type { ScheduledWork, StartedWork, WorkEnd } from '../modules/schedules/run-schedule.ts';
import { cancelTurn } from '../modules/turns/cancel-turn.ts';
import { readTurn } from '../modules/turns/read-turn.ts';
import { storeTurn } from '../modules/turns/submit-turn.ts';
import type { TurnDependencies } from '../modules/turns/turn-dependencies.ts';
import { actAgain } from '../modules/workspaces/stored-actor.ts';

/** Turns of people have 3, and replays 5. */
const scheduledPriority = 4;

interface WorkStarters {
  turns: TurnDependencies;
  replays: ReplayDependencies;
  routines: RoutineDependencies;
}

/** Starts the work of schedules, by the same use cases as the API. */
export function createScheduledWork({ turns, replays, routines }: WorkStarters): ScheduledWork {
  const works = {
    turn: createTurnWork(turns),
    replay: createReplayWork(replays),
    routine: createRoutineWork(routines),
  };
  return {
    storeTurn: async ({ workspaceId, startedBy, ...submission }) => {
      const starter = { workspaceId, ...toStarter(startedBy) };
      return (await storeTurn(turns, starter, { ...submission, priority: scheduledPriority })).start;
    },
    startReplay: async ({ workspaceId, startedBy, changedBy, replayId, input }) => {
      const stored = await findReplay(replays, { workspaceId, id: replayId });
      if (stored) await startStoredReplay(replays, { workspaceId, replayId });
      else {
        const actor = await actToReplay(replays, { workspaceId, makers: [startedBy, changedBy], input });
        await createReplay(replays, actor, { ...input, replayId, changedBy });
      }
    },
    startRoutine: async (routine) =>
      (await startRun(routines, { ...routine, priority: scheduledPriority })).run.id,
    cancel: (started) => works[started.kind].cancel(started),
    findEnd: (started) => works[started.kind].findEnd(started),
  };
}

type Place = Pick<StartedWork, 'workspaceId' | 'id'>;

function createTurnWork(turns: TurnDependencies) {
  return {
    cancel: async ({ workspaceId, id }: Place): Promise<void> => {
      await cancelTurn(turns, { workspaceId }, id);
    },
    findEnd: async ({ workspaceId, id }: Place): Promise<WorkEnd | null> => {
      const { outcome, error } = await readTurn(turns, { workspaceId }, id);
      return outcome === null ? null : { outcome, error };
    },
  };
}

function createReplayWork(replays: ReplayDependencies) {
  return {
    cancel: async ({ workspaceId, id: replayId }: Place): Promise<void> => {
      await controlReplay(replays, { workspaceId }, { replayId, command: 'cancel' });
    },
    findEnd: async (place: Place): Promise<WorkEnd | null> => {
      const replay = await findReplay(replays, place);
      // A removed replay is over.
      if (!replay) return { outcome: null, error: null };
      const { status, error } = replay;
      return status === 'running' || status === 'paused' ? null : { outcome: status, error };
    },
  };
}

function createRoutineWork(routines: RoutineDependencies) {
  const find = ({ workspaceId, id }: Place) =>
    routines.database.pipelined(workspaceId, (query) => createRoutineRunRepository(query).findRun(id));
  return {
    cancel: async ({ workspaceId, id: runId }: Place): Promise<void> => {
      const command = { name: 'stop', mode: 'now' } as const;
      await controlRun(routines, { workspaceId }, { runId, command }).catch(unlessOver);
    },
    findEnd: async (place: Place): Promise<WorkEnd | null> => {
      const run = await find(place);
      // A removed run is over.
      if (!run) return { outcome: null, error: null };
      const { status, error, settledAt } = run;
      return settledAt === null ? null : { outcome: status, error: error && toRoutineFault(error) };
    },
  };
}

/** A run that has ended, or was removed, cannot be stopped. */
function unlessOver(error: unknown): void {
  const isOver = error instanceof HoldfastError && ['CONFLICT', 'NOT_FOUND'].includes(error.code);
  if (!isOver) throw error;
}

/** The problem of a run, in the form of an error. */
function toRoutineFault(problem: JsonObject): WorkEnd['error'] {
  const { message } = new RoutineError(toProblem(problem));
  return { code: 'ROUTINE_FAULTED', message, details: problem };
}

/** Reads the rights that the makers of a schedule have today; a replay with live answers is not started without them. */
function actToReplay(
  { database }: ReplayDependencies,
  { workspaceId, makers, input }: { workspaceId: string; makers: (ActorRef | null)[]; input: ReplayInput },
): Promise<Actor> {
  const rights = asksForLive(input) ? (['replays.live'] as const) : [];
  const work = 'the replay of a schedule';
  return database.pipelined(workspaceId, (query) => actAgain(query, { workspaceId, makers, rights, work }));
}

function toStarter({ apiKeyId, actingFor }: { apiKeyId: string | null; actingFor: string | null }) {
  return { ...(apiKeyId === null ? {} : { apiKeyId }), actsFor: actingFor };
}

async function findReplay(
  { database }: ReplayDependencies,
  { workspaceId, id }: Place,
): Promise<Replay | null> {
  try {
    return await database.pipelined(workspaceId, (query) => createReplayRepository(query).getReplay(id));
  } catch (error) {
    if (error instanceof HoldfastError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
