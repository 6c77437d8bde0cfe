/**
 * Recursive expressions for a statement that has `call` with a `turn_id`: `up` has the turn of the call and those above
 * it, also the turns that started a swarm of these (`outside` is true from there on), and `root` the topmost one that is not
 * outside, with all participants, each once: its starter, and the actors who sent messages to one of these turns while it ran,
 * changed what it does, answered one of its questions or changed the state of its swarms. `CASE` finds the turn above by
 * the index: Postgres takes `coalesce` for a function that may leak rows, and checks the policies of all turns first.
 */
export const rootTurn = `up AS (
  SELECT t.id, t.parent_turn_id, t.conversation_id, t.started_by, t.participants, t.swarm_id, false AS outside
  FROM turns t JOIN call ON call.turn_id = t.id
  UNION ALL
  SELECT t.id, t.parent_turn_id, t.conversation_id, t.started_by, t.participants, t.swarm_id,
    up.outside OR up.parent_turn_id IS NULL
  FROM up LEFT JOIN swarms s ON s.id = up.swarm_id
  JOIN turns t ON t.id = CASE WHEN up.parent_turn_id IS NULL THEN s.parent_turn_id ELSE up.parent_turn_id END
), took_part AS (
  SELECT ${toActorRef('started_by')} AS who, CASE WHEN outside THEN 1 ELSE 0 END AS place
  FROM up WHERE parent_turn_id IS NULL
  UNION ALL
  SELECT ${toActorRef('q.started_by')}, 1 FROM up JOIN turns q
    ON q.conversation_id = up.conversation_id AND q.steered_into = up.id
  UNION ALL
  SELECT jsonb_array_elements(participants), 1 FROM up
  UNION ALL
  SELECT jsonb_array_elements(q.participants), 1 FROM up JOIN turns q
    ON q.conversation_id = up.conversation_id AND q.steered_into = up.id
  UNION ALL
  SELECT ${toActorRef(`a.decided_by - 'grantId'`)}, 1 FROM up JOIN pending_actions a ON a.root_turn_id = up.id
  WHERE a.kind <> 'approval' AND a.status = 'answered'
  UNION ALL
  SELECT jsonb_array_elements(s.participants), 1 FROM up JOIN swarms s ON s.id = up.swarm_id
), root AS (
  SELECT up.id, up.conversation_id, (SELECT jsonb_agg(who ORDER BY place, who) FROM (
    SELECT who, min(place) AS place FROM took_part GROUP BY who) AS people) AS asked_by
  FROM up WHERE up.parent_turn_id IS NULL AND NOT up.outside
)`;

function toActorRef(column: string): string {
  return `coalesce(${column}, jsonb_build_object('apiKeyId', NULL, 'actingFor', NULL))`;
}
