import type { CountedName } from '../../../domain/rules.ts';
import { toStorableJson } from '../../../domain/storable.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';

/** A limit that a call counts for: of its own turn, or of one above. */
export interface CountedLimit extends CountedName {
  turnId: string;
  agentId: string;
}

/** The number of calls of a tool in a turn and below it, this one included; `inDay` is null where days are not counted. */
export interface CallCount {
  turnId: string;
  key: string;
  inTurn: number;
  inDay: number | null;
}

/** Counts tool calls for the limits of rules. */
export function createToolCallCounts(query: Query) {
  return {
    /** Lets no other call be counted for the limits of these turns until the transaction ends. */
    lockCounts: async (turnIds: string[]): Promise<void> => {
      await Promise.all(turnIds.map((turnId) => query(lockCounts, { key: `calls ${turnId}` })));
    },

    /**
     * Counts a call that is about to run, once however often it is tried, in its own turn and in those above. Answers
     * nothing for one that was counted before. Throw in the same transaction to take the count back.
     */
    count: ({ id, limits }: { id: string; limits: CountedLimit[] }): Promise<CallCount[]> =>
      query(count, { id, limits: toStorableJson(limits) }),
  };
}

const lockCounts = defineStatement<{ key: string }, unknown>(
  'lock_call_counts',
  'SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))',
);

/**
 * Calls of one iteration run at once, so those with a smaller index count as earlier ones, whichever runs first. Of
 * other iterations and of turns above, calls that were not blocked count; branches of a routine reach later iterations
 * first. A routine may act as the agent of a turn above it, whose day counts once. The turn that has started a run may be
 * removed before the run ends. Days are those of UTC.
 */
const count = defineStatement<{ id: string; limits: string }, CallCount>(
  'count_tool_call',
  `WITH call AS (
  UPDATE tool_calls SET counted = true WHERE id = :id::uuid AND NOT counted
  RETURNING turn_id, iteration, index
), wanted AS (
  SELECT * FROM jsonb_to_recordset(:limits::jsonb) AS l ("turnId" uuid, "agentId" uuid, key text, names jsonb,
    targets jsonb, "perDay" boolean)
), below AS (
  INSERT INTO turn_call_counts AS b (turn_id, key, calls)
  SELECT wanted."turnId", wanted.key, 1 FROM wanted, call
  WHERE wanted."turnId" <> call.turn_id AND EXISTS (SELECT FROM turns t WHERE t.id = wanted."turnId")
  ORDER BY wanted."turnId", wanted.key
  ON CONFLICT (turn_id, key) DO UPDATE SET calls = b.calls + 1
  RETURNING turn_id, key, calls
), day AS (
  INSERT INTO tool_call_counts (agent_id, tool, day, calls)
  SELECT DISTINCT wanted."agentId", wanted.key, (now() AT TIME ZONE 'UTC')::date, 1 FROM wanted, call
  WHERE wanted."perDay" ORDER BY wanted."agentId", wanted.key
  ON CONFLICT (agent_id, tool, day) DO UPDATE SET calls = tool_call_counts.calls + 1
  RETURNING agent_id, tool, calls
)
SELECT wanted."turnId", wanted.key, day.calls AS "inDay", (
  SELECT count(*)::int FROM tool_calls c WHERE c.turn_id = wanted."turnId"
    AND (c.turn_id <> call.turn_id AND c.counted
      OR c.turn_id = call.turn_id
        AND (c.iteration = call.iteration AND c.index <= call.index OR c.iteration <> call.iteration AND c.counted))
    AND (wanted.names @> to_jsonb(c.name) OR wanted.targets @> to_jsonb(c.target)
      OR substr(c.target, strpos(c.target, ':') + 1) = wanted.key)
) + coalesce(below.calls, (
  SELECT b.calls FROM turn_call_counts b WHERE b.turn_id = wanted."turnId" AND b.key = wanted.key
), 0) AS "inTurn"
FROM wanted CROSS JOIN call
LEFT JOIN below ON below.turn_id = wanted."turnId" AND below.key = wanted.key
LEFT JOIN day ON day.agent_id = wanted."agentId" AND day.tool = wanted.key`,
);
