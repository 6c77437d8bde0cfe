/**
 * A recursive expression `up` for a statement that has `call` with a `turn_id`: the turn of the call and those above it.
 * The one without a `parent_turn_id` was started by a client.
 */
export const turnsAbove = `up AS (
  SELECT t.id, t.parent_turn_id, t.conversation_id, t.started_by FROM turns t JOIN call ON call.turn_id = t.id
  UNION ALL
  SELECT t.id, t.parent_turn_id, t.conversation_id, t.started_by FROM turns t JOIN up ON t.id = up.parent_turn_id
)`;
