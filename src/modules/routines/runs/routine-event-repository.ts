import type { ActorRef } from '../../../domain/actor.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { toStorableJson } from '../../../domain/storable.ts';
import { rootTurn } from '../../actions/root-turn.ts';
import { withParticipants } from '../../../platform/database/participants.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';

/** Events in the order of the workspace, and the position of the last one that was looked at. */
interface TakenEvents {
  position: number;
  events: JsonObject[];
}

interface NewRoutineEvent {
  id: string;
  /** The run that emits it; null for a program. */
  runId: string | null;
  /** The actors that emit it: of a run all who took part. */
  by: readonly ActorRef[];
  /** The normal form of the name of the only person whose runs it reaches; null for all runs. */
  person: string | null;
  event: JsonObject;
}

interface EventReading {
  runId: string;
  position: number;
  limit: number;
}

/** A condition: an event for a person reaches a run. The conversation of a run has the person for whom it runs. */
function isReached(person: string, run: string): string {
  return `(${person} IS NULL
    OR EXISTS (SELECT FROM conversations c WHERE c.id = ${run}.conversation_id AND c.person = ${person}))`;
}

/** Events between the runs of a workspace. */
export function createRoutineEventRepository(query: Query) {
  return {
    /** The actors who took part in a run so far, its starter first. */
    listParticipants: async (runId: string): Promise<ActorRef[]> => {
      const [row] = await query(listParticipants, { runId });
      return row?.participants ?? [];
    },

    /** Stores an event once; answers the ids of the runs that listen and that it reaches. */
    emit: async ({ id, runId, by, person, event }: NewRoutineEvent): Promise<string[]> => {
      const emittedBy = toStorableJson(by);
      const [, rows] = await Promise.all([
        query(lockEvents, {}),
        query(emitEvent, { id, runId, emittedBy, person, event: toStorableJson(event) }),
      ]);
      return rows.map((row) => row.id);
    },

    /** Notes that a run listens; answers the position of the newest event. */
    beginListening: async (runId: string): Promise<number> => {
      const [, rows] = await Promise.all([query(lockEvents, {}), query(beginListening, { runId })]);
      return rows[0]?.position ?? 0;
    },

    /**
     * Takes the next events after a position for a run, and adds their emitters to its participants. Returns the position
     * to continue after.
     */
    takeAfter: async ({ runId, position, limit }: EventReading): Promise<TakenEvents> => {
      const rows = await query(takeAfter, { runId, position, limit });
      const events = rows.flatMap(({ event }) => (event === null ? [] : [event]));
      return { position: rows.at(-1)?.position ?? position, events };
    },
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
  emittedBy: string;
  person: string | null;
  event: string;
}

const emitEvent = defineStatement<EventValues, { id: string }>(
  'emit_routine_event',
  `WITH emitted AS (
  INSERT INTO routine_events (id, run_id, emitted_by, person, event)
  VALUES (:id::uuid, :runId::uuid, :emittedBy::jsonb, :person, :event::jsonb)
  ON CONFLICT (id) DO NOTHING
)
SELECT r.id FROM routine_runs r
WHERE r.workspace_id = current_workspace() AND r.listening AND r.settled_at IS NULL AND ${isReached(':person::text', 'r')}`,
);

/** The turn of a run has the id of the run. */
const listParticipants = defineStatement<{ runId: string }, { participants: ActorRef[] | null }>(
  'list_routine_participants',
  `WITH RECURSIVE call AS (SELECT :runId::uuid AS turn_id), ${rootTurn}
SELECT asked_by AS participants FROM root`,
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
const takeAfter = defineStatement<EventReading, { position: number; event: JsonObject | null }>(
  'take_routine_events',
  `WITH found AS (
  SELECT e.position::float8 AS position, e.emitted_by,
    CASE WHEN ${isReached('e.person', 'r')} THEN e.event END AS event
  FROM routine_events e JOIN routine_runs r ON r.id = :runId::uuid
  WHERE e.workspace_id = current_workspace() AND e.position > :position::bigint ORDER BY e.position LIMIT :limit
), emitters AS (
  SELECT DISTINCT jsonb_array_elements(emitted_by) AS who FROM found WHERE event IS NOT NULL
), noted AS (
  UPDATE turns SET participants = ${withParticipants('participants', 'SELECT who FROM emitters')}
  WHERE id = :runId::uuid AND EXISTS (SELECT FROM emitters WHERE NOT participants @> jsonb_build_array(who))
)
SELECT position, event FROM found ORDER BY position`,
);
