import type { Knex } from 'knex';
import { createRestMark, isDue, leased } from '../../platform/work/sweep-lease.ts';
import { isNextInConversation, runningTurns } from './workspace-share.ts';
import { unowned } from './turn-rows.ts';
import { listWaitingTurns, waitingRestMs, type WaitingTurn } from '../actions/list-waiting-turns.ts';

/** A running turn that the sweeper should check. */
export interface SuspectTurn {
  id: string;
  workspaceId: string;
  restarts: number;
  overdue: boolean;
  /** Whether the turn may not wait any longer for its first step. */
  waitedTooLong: boolean;
  startTimeoutMs: number;
}

/** A conversation in which a queued turn waits though none runs. */
export interface StalledQueue {
  conversationId: string;
  workspaceId: string;
}

interface SweepWindow {
  /** How old a turn must be before its start is checked, in milliseconds. */
  graceMs: number;
  limit: number;
}

/** SQL: whether a turn may not wait any longer for its first step. */
const hasWaitedTooLong = 'started_at + make_interval(secs => start_timeout_ms / 1000.0) < now()';

/** How long chunks are kept for readers that come back, in hours. */
const chunkHours = 1;
const chunksPerBatch = 5_000;
/** The maximum number of batches of one sweep; the next sweep continues. */
const chunkBatches = 20;

/** Turns and chunks of all workspaces, for the sweeper. */
export function createSweepRepository(system: Knex) {
  return {
    /**
     * Takes turns past their deadline, and turns whose workflow was not seen yet, under a lease; those first that were never
     * swept. A turn has no rest after its sweep. Workers look after turns without a workflow, unless none took one in time.
     */
    takeSuspects: async ({ graceMs, limit }: SweepWindow): Promise<SuspectTurn[]> => {
      const { rows } = await system.raw<{ rows: SuspectTurn[] }>(
        `UPDATE turns SET swept_at = ${leased(0)} WHERE id IN (
           SELECT id FROM turns WHERE status = 'running' AND ${isDue('swept_at', 0)} AND (deadline_at < now()
             OR NOT start_seen AND started_at < now() - make_interval(secs => :graceMs / 1000.0))
             AND (direct_owner IS NULL OR direct_owner = '${unowned}' AND ${hasWaitedTooLong})
           ORDER BY swept_at NULLS FIRST, started_at LIMIT :limit FOR UPDATE SKIP LOCKED)
         RETURNING id, workspace_id AS "workspaceId", restarts, deadline_at < now() AS overdue,
           start_timeout_ms AS "startTimeoutMs",
           ${hasWaitedTooLong} AS "waitedTooLong"`,
        { graceMs, limit },
      );
      return rows;
    },

    /** Takes turns that wait for people, as `listWaitingTurns` lists them, under a lease. */
    takeWaiting: (window: SweepWindow): Promise<WaitingTurn[]> => takeWaiting(system, window),

    /** Notes that the workflow of a turn exists, so that no sweep looks for it again before the turn's deadline. */
    markStartSeen: (id: string) => system('turns').where({ id }).update({ start_seen: true }),

    /** Notes that turns were swept, so that the next sweep begins with others. */
    markSwept: createRestMark(system, 'turns'),

    /** Gives a turn that was started again its whole time; counts the start when its workflow had been lost. */
    markRestarted: ({ id, wasLost }: { id: string; wasLost: boolean }) =>
      system('turns')
        .where({ id, status: 'running' })
        .update({
          restarts: system.raw('restarts + ?', [wasLost ? 1 : 0]),
          deadline_at: system.raw('now() + make_interval(secs => timeout_ms / 1000.0)'),
        }),

    /** Conversations in which a queued turn waits though none runs. */
    listStalledQueues: async (limit: number): Promise<StalledQueue[]> => {
      const { rows } = await system.raw<{ rows: StalledQueue[] }>(
        `SELECT DISTINCT conversation_id AS "conversationId", workspace_id AS "workspaceId" FROM turns q
         WHERE status = 'queued' AND NOT EXISTS (SELECT FROM turns r WHERE r.conversation_id = q.conversation_id
           AND r.status IN ('running', 'waiting_for_approval'))
           AND NOT EXISTS (SELECT FROM workspaces w WHERE w.id = q.workspace_id AND w.max_running_turns IS NOT NULL)
         LIMIT ?`,
        [limit],
      );
      return rows;
    },

    /** Workspaces that limit their running turns, with a turn that waits and a place for one. */
    listFreePlaces: async (limit: number): Promise<{ workspaceId: string }[]> => {
      const { rows } = await system.raw<{ rows: { workspaceId: string }[] }>(
        `SELECT w.id AS "workspaceId" FROM workspaces w
         WHERE w.max_running_turns > ${runningTurns('w.id')}
           AND EXISTS (SELECT FROM turns q WHERE q.workspace_id = w.id AND q.status = 'queued'
             AND q.parent_turn_id IS NULL AND ${isNextInConversation('q')})
         LIMIT ?`,
        [limit],
      );
      return rows;
    },

    /** Deletes chunks that no reader comes back for, oldest first, in transactions of limited size. */
    deleteOldChunks: async (): Promise<void> => {
      for (let batch = 0; batch < chunkBatches; batch += 1) {
        const some = system('stream_chunks')
          .whereRaw(`created_at < now() - make_interval(hours => ?)`, [chunkHours])
          .orderBy('created_at')
          .limit(chunksPerBatch)
          .select('id');
        if ((await system('stream_chunks').whereIn('id', some).delete()) < chunksPerBatch) return;
      }
    },
  };
}

async function takeWaiting(system: Knex, window: SweepWindow): Promise<WaitingTurn[]> {
  const turns = await listWaitingTurns(system, window);
  const ids = turns.map(({ id }) => id);
  const change: object = { swept_at: system.raw(leased(waitingRestMs)) };
  await system('turns').whereIn('id', ids).update(change);
  return turns;
}

export type SweepRepository = ReturnType<typeof createSweepRepository>;
