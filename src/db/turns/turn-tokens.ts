function sumTokens(turn: string): string {
  return `${turn}.input_tokens + ${turn}.cache_read_tokens + ${turn}.cache_write_tokens + ${turn}.output_tokens`;
}

/** An expression over a turn `t`: the tokens that it has used, those of the turns below it included. */
export const tokensUsed = `(${sumTokens('t')} + (
  WITH RECURSIVE below AS (
    SELECT c.id, ${sumTokens('c')} AS tokens FROM turns c WHERE c.parent_turn_id = t.id
    UNION ALL
    SELECT c.id, ${sumTokens('c')} FROM turns c JOIN below ON c.parent_turn_id = below.id
  ) SELECT coalesce(sum(tokens), 0)::bigint FROM below
))`;
