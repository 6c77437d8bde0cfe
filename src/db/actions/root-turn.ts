/**
 * Recursive expressions for a statement that has `call` with a `turn_id`: `up` has the turn of the call and those above
 * it, and `root` the one that a client started, with those who started it or sent messages to it while it ran.
 */
export const rootTurn = `up AS (
  SELECT t.id, t.parent_turn_id, t.conversation_id, t.started_by FROM turns t JOIN call ON call.turn_id = t.id
  UNION ALL
  SELECT t.id, t.parent_turn_id, t.conversation_id, t.started_by FROM turns t JOIN up ON t.id = up.parent_turn_id
), root AS (
  SELECT up.id, up.conversation_id, jsonb_build_array(${toActorRef('up.started_by')}) || coalesce((
    SELECT jsonb_agg(${toActorRef('q.started_by')}) FROM turns q
    WHERE q.conversation_id = up.conversation_id AND q.steered_into = up.id
  ), '[]') AS asked_by
  FROM up WHERE up.parent_turn_id IS NULL
)`;

function toActorRef(column: string): string {
  return `coalesce(${column}, jsonb_build_object('apiKeyId', NULL, 'actingFor', NULL))`;
}
