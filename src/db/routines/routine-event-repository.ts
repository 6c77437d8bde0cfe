import type { JsonObject } from '../../domain/json.ts';
import { toStorableJson } from '../../domain/storable.ts';
import { defineStatement, type Query } from '../statement.ts';

/** An event with its place in the order of the workspace. */
export interface PlacedEvent {
  position: number;
  event: JsonObject;
}

interface NewRoutineEvent {
  id: string;
  runId: string | null;
  event: JsonObject;
}

/** Events between the runs of a workspace. */
export function createRoutineEventRepository(query: Query) {
  return {
    /** Stores an event once; answers the ids of the runs that listen. */
    emit: async ({ id, runId, event }: NewRoutineEvent): Promise<string[]> => {
      const [, rows] = await Promise.all([
        query(lockEvents, {}),
        query(emitEvent, { id, runId, event: toStorableJson(event) }),
      ]);
      return rows.map((row) => row.id);
    },

    /** Notes that a run listens; answers the position of the newest event. */
    beginListening: async (runId: string): Promise<number> => {
      const [, rows] = await Promise.all([query(lockEvents, {}), query(beginListening, { runId })]);
      return rows[0]?.position ?? 0;
    },

    /** The next events after a position. */
    listAfter: (position: number, limit: number): Promise<PlacedEvent[]> =>
      query(listAfter, { position, limit }),
  };
}

export type RoutineEventRepository = ReturnType<typeof createRoutineEventRepository>;

/**
 * Events of one workspace are emitted one after the other, so that no reader passes one that is not committed yet. A run that
 * begins to listen waits as well: either it finds the event, or the event finds the run. A statement of its own, since the next
 * one sees only what was committed before it began.
 */
const lockEvents = defineStatement<Record<string, never>, unknown>(
  'lock_routine_events',
  `SELECT pg_advisory_xact_lock(hashtextextended('routine events ' || current_workspace()::text, 0))`,
);

const emitEvent = defineStatement<{ id: string; runId: string | null; event: string }, { id: string }>(
  'emit_routine_event',
  `WITH emitted AS (
  INSERT INTO routine_events (id, run_id, event) VALUES (:id::uuid, :runId::uuid, :event::jsonb)
  ON CONFLICT (id) DO NOTHING
)
SELECT id FROM routine_runs WHERE workspace_id = current_workspace() AND listening AND settled_at IS NULL`,
);

const beginListening = defineStatement<{ runId: string }, { position: number }>(
  'begin_listening',
  `WITH noted AS (
  UPDATE routine_runs SET listening = true WHERE id = :runId AND settled_at IS NULL RETURNING id
)
SELECT coalesce((
  SELECT position FROM routine_events WHERE workspace_id = current_workspace() ORDER BY position DESC LIMIT 1
), 0)::float8 AS position FROM noted`,
);

const listAfter = defineStatement<{ position: number; limit: number }, PlacedEvent>(
  'list_routine_events',
  `SELECT position::float8 AS position, event FROM routine_events
   WHERE workspace_id = current_workspace() AND position > :position::bigint ORDER BY position LIMIT :limit`,
);
