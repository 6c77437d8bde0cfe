function sumTokens(turn: string): string {
  return `${turn}.input_tokens + ${turn}.cache_read_tokens + ${turn}.cache_write_tokens + ${turn}.output_tokens`;
}

/** An expression over a turn `t`: the sum of an expression over it and over the turns below it. */
function sumWithBelow(of: (turn: string) => string): string {
  return `(${of('t')} + (
  WITH RECURSIVE below AS (
    SELECT c.id, ${of('c')} AS used FROM turns c WHERE c.parent_turn_id = t.id
    UNION ALL
    SELECT c.id, ${of('c')} FROM turns c JOIN below ON c.parent_turn_id = below.id
  ) SELECT coalesce(sum(used), 0)::bigint FROM below
))`;
}

/** An expression over a turn `t`: the tokens that it has used, those of the turns below it included. */
export const tokensUsed = sumWithBelow(sumTokens);

/** An expression over a turn `t`: the credits that its calls have cost, those of the turns below it included. */
export const creditsUsed = sumWithBelow((turn) => `${turn}.credits`);
