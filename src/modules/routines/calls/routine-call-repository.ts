import type { ErrorInfo } from '../../../domain/errors.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Maker } from '../../../domain/resource.ts';
import type { RuleSource } from '../../../domain/rules.ts';
import { countAnswer } from '../../../domain/model-context.ts';
import { toStorableJson } from '../../../domain/storable.ts';
import type { ToolCallStatus } from '../../../domain/turn.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import type { NewToolCall } from '../../turns/turn-answer-repository.ts';
import { turnNotFound } from '../../turns/turn-rows.ts';

interface NewRoutineCall {
  turnId: string;
  step: number;
  call: NewToolCall;
}

/** How a call of a routine stands in the ledger. */
export interface StoredRoutineCall {
  status: ToolCallStatus;
  result: string | null;
  resultTruncated: boolean;
  error: ErrorInfo | null;
  arguments: JsonObject | null;
}

/** The agent as which a run acts, and the rules that hold in it; they stay the same for a whole run. */
export interface RunActor {
  agentId: string;
  versionId: string;
  /** The turns above, outermost first, whose rules hold in the run too. */
  ruleSources: RuleSource[];
}

/** The calls of routines in the ledger: call 0 of the iteration that has the number of the step. */
export function createRoutineCallRepository(query: Query) {
  return {
    /**
     * Records a call before anything runs; does nothing when it is recorded. False when the run has ended, or has spent what it
     * may: `findSpent` says which.
     */
    recordCall: async ({ turnId, step, call }: NewRoutineCall): Promise<boolean> => {
      const calls = toStorableJson([call]);
      const rows = await query(recordCall, { turnId, step, calls, characters: countAnswer('', [call]) });
      return rows.length > 0;
    },

    /** The limit of credits of a run that it has spent with the runs around it; null when it may spend more. */
    findSpent: async (runId: string): Promise<string | null> => {
      const [row] = await query(findSpent, { runId });
      return row?.credits ?? null;
    },

    /** @throws HoldfastError `NOT_FOUND` */
    getActor: async (turnId: string): Promise<RunActor> => {
      const [row] = await query(findActor, { turnId });
      if (!row) throw turnNotFound(turnId);
      return row;
    },

    /** Finds the author of the version of the routine that a run has; null when not known. */
    findAuthor: async (runId: string): Promise<Maker | null> => {
      const [row] = await query(findAuthor, { runId });
      return row?.madeBy ?? null;
    },

    findCall: async (turnId: string, step: number): Promise<StoredRoutineCall | null> => {
      const [row] = await query(findCall, { turnId, step });
      return row ?? null;
    },
  };
}

export type RoutineCallRepository = ReturnType<typeof createRoutineCallRepository>;

interface RecordBindings {
  turnId: string;
  step: number;
  calls: string;
  characters: number;
}

/**
 * An expression: what a run has cost with the runs that it has started and that have started it, and with the turns below
 * them. `run` is SQL of its id.
 */
const spentBy = (run: string) => `(WITH RECURSIVE above AS (
    SELECT id, parent_run_id FROM routine_runs WHERE id = ${run}
    UNION ALL SELECT r.id, r.parent_run_id FROM routine_runs r JOIN above ON r.id = above.parent_run_id
  ), runs AS (
    SELECT id FROM above WHERE NOT EXISTS (SELECT FROM routine_runs r WHERE r.id = above.parent_run_id)
    UNION ALL SELECT r.id FROM routine_runs r JOIN runs ON r.parent_run_id = runs.id
  ), below AS (
    SELECT t.id, t.credits FROM turns t JOIN runs ON runs.id = t.id
    UNION ALL SELECT t.id, t.credits FROM turns t JOIN below ON t.parent_turn_id = below.id
  )
  SELECT coalesce(sum(credits), 0) FROM below)`;

/** An expression: the limit of credits of the workspace when a run has spent it; null otherwise. Without a limit nothing is summed up. */
const spentLimit = (run: string) => `(SELECT CASE WHEN w.routine_credits IS NOT NULL THEN
    CASE WHEN ${spentBy(run)} >= w.routine_credits THEN w.routine_credits END END
  FROM workspaces w WHERE w.id = current_workspace())`;

const findSpent = defineStatement<{ runId: string }, { credits: string | null }>(
  'find_spent_limit_of_run',
  `SELECT ${spentLimit(':runId::uuid')}::text AS credits`,
);

const recordCall = defineStatement<RecordBindings, { id: string }>(
  'record_routine_call',
  `WITH turn AS (
  UPDATE turns SET iterations = greatest(iterations, :step::int) WHERE id = :turnId AND status = 'running'
    AND (${spentLimit(':turnId::uuid')} IS NULL
      OR EXISTS (SELECT FROM tool_calls k WHERE k.turn_id = :turnId AND k.iteration = :step::int AND k.index = 0))
  RETURNING id, conversation_id, ordinal
), counted AS (
  UPDATE conversations c SET characters = c.characters + :characters::int FROM turn WHERE c.id = turn.conversation_id
    AND NOT EXISTS (SELECT FROM tool_calls k WHERE k.turn_id = turn.id AND k.iteration = :step::int AND k.index = 0)
), recorded AS (
  INSERT INTO tool_calls (id, conversation_id, turn_id, turn_ordinal, iteration, index, key, model_call_id, name, tool,
    effect, arguments, arguments_hash, connector, target, error, status)
  SELECT call.id, turn.conversation_id, turn.id, turn.ordinal, :step::int, 0, call.key, call."modelCallId", call.name,
    nullif(call.tool, 'null'::jsonb), call.effect, call.arguments, call."argumentsHash", call.connector, call.target,
    nullif(call.refusal, 'null'::jsonb), 'requested'
  FROM turn, jsonb_to_recordset(:calls::jsonb) AS call (id uuid, key text, "modelCallId" text, name text, tool jsonb,
    effect text, arguments jsonb, "argumentsHash" text, connector text, target text, refusal jsonb)
  ON CONFLICT (key) DO NOTHING
)
SELECT id FROM turn`,
);

const findActor = defineStatement<{ turnId: string }, RunActor>(
  'find_routine_actor',
  `SELECT agent_id AS "agentId", agent_version_id AS "versionId", rule_sources AS "ruleSources" FROM turns
   WHERE id = :turnId`,
);

const findAuthor = defineStatement<{ runId: string }, { madeBy: Maker | null }>(
  'find_routine_author',
  `SELECT v.made_by AS "madeBy" FROM routine_runs r
   JOIN routine_versions v ON v.routine_id = r.routine_id AND v.version = r.version WHERE r.id = :runId`,
);

const findCall = defineStatement<{ turnId: string; step: number }, StoredRoutineCall>(
  'find_routine_call',
  `SELECT status, result, result_truncated AS "resultTruncated", error, arguments FROM tool_calls
   WHERE turn_id = :turnId AND iteration = :step::int AND index = 0`,
);
