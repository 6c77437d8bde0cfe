import type { Client } from '@temporalio/client';
import type { ScheduleServices } from '../../activities/activity-dependencies.ts';
import { createReplayRepository } from '../db/replays/replay-repository.ts';
import { createScheduleSweepRepository } from '../db/schedules/schedule-sweep-repository.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { Replay } from '../domain/replay.ts';
import { controlReplay } from '../replays/control-replay.ts';
import { createReplay } from '../replays/create-replay.ts';
import type { ReplayDependencies } from '../replays/replay-dependencies.ts';
import { startStoredReplay } from '../replays/start-stored-replay.ts';
import { copySchedule } from '../schedules/change-schedule.ts';
import type { ScheduledWork } from '../schedules/scheduled-run.ts';
import { createScheduleEngine } from '../temporal/schedule-engine.ts';
import { cancelTurn } from '../turns/cancel-turn.ts';
import { readTurn } from '../turns/read-turn.ts';
import { storeTurn } from '../turns/submit-turn.ts';
import type { TurnDependencies } from '../turns/turn-dependencies.ts';
import type { Services } from './create-services.ts';

/** Turns of people have 3, and replays 5. */
const scheduledPriority = 4;

interface ScheduleParts {
  services: Services;
  client: Client;
  turns: TurnDependencies;
  replays: ReplayDependencies;
}

/** Builds what runs schedules and looks after their copies in Temporal. */
export function createScheduleServices({
  services,
  client,
  turns,
  replays,
}: ScheduleParts): ScheduleServices {
  const { database, taskQueue } = services;
  const schedules = createScheduleEngine({ client, taskQueue });
  return {
    runs: { database, schedules, work: createScheduledWork(turns, replays) },
    sweep: createScheduleSweepRepository(database.system),
    copySchedule: (workspaceId, id) => copySchedule({ database, schedules }, { workspaceId }, id),
  };
}

/** Starts the work of schedules, by the same use cases as the API. */
function createScheduledWork(turns: TurnDependencies, replays: ReplayDependencies): ScheduledWork {
  return {
    storeTurn: async ({ workspaceId, startedBy, ...submission }) => {
      const starter = { workspaceId, ...toStarter(startedBy) };
      return (await storeTurn(turns, starter, { ...submission, priority: scheduledPriority })).start;
    },
    cancelTurn: async ({ workspaceId, turnId }) => {
      await cancelTurn(turns, { workspaceId }, turnId);
    },
    findTurnEnd: async ({ workspaceId, turnId }) => {
      const { outcome, error } = await readTurn(turns, { workspaceId }, turnId);
      return outcome === null ? null : { outcome, error };
    },
    startReplay: async ({ workspaceId, startedBy, replayId, input }) => {
      const stored = await findReplay(replays, { workspaceId, replayId });
      if (stored) await startStoredReplay(replays, { workspaceId, replayId });
      else await createReplay(replays, { workspaceId, ...toStarter(startedBy) }, { ...input, replayId });
    },
    cancelReplay: async ({ workspaceId, replayId }) => {
      await controlReplay(replays, { workspaceId }, { replayId, command: 'cancel' });
    },
    findReplayEnd: async (place) => {
      const replay = await findReplay(replays, place);
      // A removed replay is over.
      if (!replay) return { outcome: null, error: null };
      const { status, error } = replay;
      return status === 'running' || status === 'paused' ? null : { outcome: status, error };
    },
  };
}

function toStarter({ apiKeyId, actingFor }: { apiKeyId: string | null; actingFor: string | null }) {
  return { ...(apiKeyId === null ? {} : { apiKeyId }), actsFor: actingFor };
}

async function findReplay(
  { database }: ReplayDependencies,
  { workspaceId, replayId }: { workspaceId: string; replayId: string },
): Promise<Replay | null> {
  try {
    return await database.pipelined(workspaceId, (query) =>
      createReplayRepository(query).getReplay(replayId),
    );
  } catch (error) {
    if (error instanceof HoldfastError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
