import type { ActorRef } from '../../../domain/actor.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { toStorableJson } from '../../../domain/storable.ts';
import { rootTurn } from '../../actions/root-turn.ts';
import { withParticipants } from '../../../platform/database/participants.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';

/** An event with its place in the order of the workspace. */
export interface PlacedEvent {
  position: number;
  event: JsonObject;
}

interface NewRoutineEvent {
  id: string;
  /** The run that emits it, with all participants of that run. */
  runId: string | null;
  /** The actor that emits it; null for a run. */
  by: ActorRef | null;
  event: JsonObject;
}

interface EventReading {
  runId: string;
  position: number;
  limit: number;
}

/** Events between the runs of a workspace. */
export function createRoutineEventRepository(query: Query) {
  return {
    /** Stores an event once; answers the ids of the runs that listen. */
    emit: async ({ id, runId, by, event }: NewRoutineEvent): Promise<string[]> => {
      const emittedBy = by && toStorableJson([by]);
      const [, rows] = await Promise.all([
        query(lockEvents, {}),
        query(emitEvent, { id, runId, emittedBy, event: toStorableJson(event) }),
      ]);
      return rows.map((row) => row.id);
    },

    /** Notes that a run listens; answers the position of the newest event. */
    beginListening: async (runId: string): Promise<number> => {
      const [, rows] = await Promise.all([query(lockEvents, {}), query(beginListening, { runId })]);
      return rows[0]?.position ?? 0;
    },

    /** Takes the next events after a position for a run, and adds their emitters to its participants. */
    takeAfter: ({ runId, position, limit }: EventReading): Promise<PlacedEvent[]> =>
      query(takeAfter, { runId, position, limit }),
  };
}

export type RoutineEventRepository = ReturnType<typeof createRoutineEventRepository>;

/**
 * Events of one workspace are emitted one after the other, so that no reader passes one that is not committed yet. A run that
 * begins to listen waits as well: either it finds the event, or the event finds the run. Its own statement, since the next
 * one sees only what was committed before it began.
 */
const lockEvents = defineStatement<Record<string, never>, unknown>(
  'lock_routine_events',
  `SELECT pg_advisory_xact_lock(hashtextextended('routine events ' || current_workspace()::text, 0))`,
);

interface EventValues {
  id: string;
  runId: string | null;
  emittedBy: string | null;
  event: string;
}

const emitEvent = defineStatement<EventValues, { id: string }>(
  'emit_routine_event',
  `WITH RECURSIVE call AS (SELECT :runId::uuid AS turn_id), ${rootTurn}, emitted AS (
  INSERT INTO routine_events (id, run_id, emitted_by, event)
  VALUES (:id::uuid, :runId::uuid, coalesce(:emittedBy::jsonb, (SELECT asked_by FROM root)), :event::jsonb)
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

/** The turn of a run has the id of the run. */
const takeAfter = defineStatement<EventReading, PlacedEvent>(
  'take_routine_events',
  `WITH found AS (
  SELECT position::float8 AS position, event, emitted_by FROM routine_events
  WHERE workspace_id = current_workspace() AND position > :position::bigint ORDER BY position LIMIT :limit
), emitters AS (
  SELECT DISTINCT jsonb_array_elements(emitted_by) AS who FROM found
), noted AS (
  UPDATE turns SET participants = ${withParticipants('participants', 'SELECT who FROM emitters')}
  WHERE id = :runId::uuid AND EXISTS (SELECT FROM emitters WHERE NOT participants @> jsonb_build_array(who))
)
SELECT position, event FROM found ORDER BY position`,
);
