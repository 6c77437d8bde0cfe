/**
 * An expression: the last compaction that holds in a model call, as a row `k` of a LATERAL, for a turn with the alias `t`
 * and the parameter `:iteration`.
 */
export const compactionInForce = `LATERAL (
  SELECT c.* FROM compactions c
  WHERE c.conversation_id = t.conversation_id AND (c.turn_ordinal, c.iteration) <= (t.ordinal, :iteration::int)
  ORDER BY c.turn_ordinal DESC, c.iteration DESC, c.number DESC LIMIT 1
)`;
