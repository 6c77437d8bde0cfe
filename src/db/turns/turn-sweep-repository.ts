import type { Knex } from 'knex';

/** A running turn that the sweeper should look at. */
export interface SuspectTurn {
  id: string;
  workspaceId: string;
  restarts: number;
  overdue: boolean;
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

/** How long chunks are kept for readers that come back, in hours. */
const chunkHours = 1;

/** Turns and chunks of all workspaces, for the sweeper. */
export function createSweepRepository(system: Knex) {
  return {
    /** Turns past their deadline, and turns whose workflow nobody has seen yet. */
    listSuspects: async ({ graceMs, limit }: SweepWindow): Promise<SuspectTurn[]> => {
      const { rows } = await system.raw<{ rows: SuspectTurn[] }>(
        `SELECT id, workspace_id AS "workspaceId", restarts, deadline_at < now() AS overdue FROM turns
         WHERE status = 'running' AND (deadline_at < now()
           OR NOT start_seen AND started_at < now() - make_interval(secs => :graceMs / 1000.0))
         ORDER BY started_at LIMIT :limit`,
        { graceMs, limit },
      );
      return rows;
    },

    /** Notes that the workflow of a turn exists, so that no sweep looks for it again before the turn's deadline. */
    markStartSeen: (id: string) => system('turns').where({ id }).update({ start_seen: true }),

    /** Gives a turn whose workflow was lost its whole time again. */
    markRestarted: (id: string) =>
      system('turns')
        .where({ id, status: 'running' })
        .update({
          restarts: system.raw('restarts + 1'),
          deadline_at: system.raw('now() + make_interval(secs => timeout_ms / 1000.0)'),
        }),

    /** Conversations in which a queued turn waits though none runs. */
    listStalledQueues: async (limit: number): Promise<StalledQueue[]> => {
      const { rows } = await system.raw<{ rows: StalledQueue[] }>(
        `SELECT DISTINCT conversation_id AS "conversationId", workspace_id AS "workspaceId" FROM turns q
         WHERE status = 'queued' AND NOT EXISTS (SELECT FROM turns r WHERE r.conversation_id = q.conversation_id
           AND r.status IN ('running', 'waiting_for_approval')) LIMIT ?`,
        [limit],
      );
      return rows;
    },

    deleteOldChunks: () =>
      system('stream_chunks')
        .whereRaw(`created_at < now() - make_interval(hours => ?)`, [chunkHours])
        .delete(),
  };
}

export type SweepRepository = ReturnType<typeof createSweepRepository>;
