import type { ErrorInfo } from '../../domain/errors.ts';
import type { Comparison, Lane, Outside, ReplayInput, ReplayRun, ReplayStatus } from '../../domain/replay.ts';
import { maxReplayCases } from '../../domain/replay.ts';
import { toCreditPart } from '../../domain/credits.ts';
import { countTokens } from '../../domain/usage.ts';
import { toStorableJson } from '../../domain/storable.ts';
import type { ReplayedBy } from '../credits/credit-ledger-repository.ts';
import { isBudgeted, replayCaller } from '../credits/credit-sql.ts';
import { pickConditions } from '../../platform/database/pick-conditions.ts';
import { defineStatement, type Query, type Statement } from '../../platform/database/statement.ts';

/** A case of a replay: a recorded turn, or the turns of a conversation in their order. */
export interface ReplayCase {
  position: number;
  conversationId: string;
  turnIds: string[];
}

/** Names one run of a case. */
export interface RunKey {
  position: number;
  lane: Lane;
  repeat: number;
}

/** A run of a case that has ended; `run` is null when it could not be run. */
export interface EndedRun extends RunKey {
  conversationId: string;
  run: ReplayRun | null;
  comparison: Comparison | null;
  error: ErrorInfo | null;
  outside: Outside;
}

/** A run to be stored, with what its model calls have cost; null for a recorded one. */
export interface ChargedRun extends EndedRun {
  charge: (ReplayedBy & { credits: bigint; isPriced: boolean }) | null;
}

/** The status of a replay, and the tokens and dollars that it has spent so far. */
export interface ReplayState {
  status: ReplayStatus;
  spentTokens: number;
  spentUsd: number;
  /** Whether the workspace has budgets, so that its calls are reserved before they are made. */
  budgeted: boolean;
}

/** The cases of replays and their runs, each of which is stored once. */
export function createReplayCaseRepository(query: Query) {
  return {
    /** Selects the cases of a replay, unless they are selected already. Returns how many there are. */
    selectCases: async (replayId: string, { selection, mode }: ReplayInput): Promise<number> => {
      const { sample, ...conditions } = selection;
      const values: SelectionValues = {
        ...{ replayId, byConversation: mode === 'conversations' },
        ...{
          agentId: conditions.agentId ?? null,
          tool: conditions.tool ?? null,
          tag: conditions.tag ?? null,
        },
        ...{ from: conditions.from ?? null, to: conditions.to ?? null },
        conversationIds: conditions.conversationIds ? JSON.stringify(conditions.conversationIds) : null,
        turnIds: conditions.turnIds ? JSON.stringify(conditions.turnIds) : null,
        outcomes: JSON.stringify(conditions.outcomes),
        seed: sample ? String(sample.seed) : null,
        most: sample?.size ?? maxReplayCases,
      };
      const [row] = await query(toSelectCases(values), values);
      return row?.cases ?? 0;
    },

    /** The cases from one position up to another, which is not among them. */
    listCases: (replayId: string, from: number, to: number): Promise<ReplayCase[]> =>
      query(listCases, { replayId, from, to }),

    /** The runs that are stored of these cases. */
    listStoredKeys: (replayId: string, from: number, to: number): Promise<RunKey[]> =>
      query(listStoredKeys, { replayId, from, to }),

    /** Stores a run, and adds what it has spent to the replay. One that is stored already changes nothing. */
    storeRun: async (replayId: string, ended: ChargedRun): Promise<void> => {
      const turns = ended.run?.turns ?? [];
      const { position, lane, repeat, conversationId, run, comparison, error, outside, charge } = ended;
      const calls = [...turns, ...(comparison?.judged ? [comparison.judged] : [])];
      const spends = lane !== 'original';
      const usd = spends ? calls.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0) : 0;
      await query(storeRun, {
        ...{ replayId, position, lane, repeat, conversationId },
        run: run && toStorableJson(run),
        comparison: comparison && toStorableJson(comparison),
        error: error && toStorableJson(error),
        ...{ connections: outside.connectionsOpened, credentials: outside.credentialsDecrypted },
        counts: spends ? 1 : 0,
        fails: spends && run === null ? 1 : 0,
        tokens: spends ? calls.reduce((sum, { usage }) => sum + countTokens(usage), 0) : 0,
        usd,
        part: toCreditPart(ended),
        ...toCharge(charge),
        sourceId: replayId,
      });
    },

    /** The state of a replay; one that was removed counts as cancelled. */
    findState: async (replayId: string): Promise<ReplayState> => {
      const [state] = await query(findState, { replayId });
      return state ?? { status: 'cancelled', spentTokens: 0, spentUsd: 0, budgeted: false };
    },

    /** All runs of the cases from one position up to another, ordered by case. */
    listRuns: (replayId: string, from: number, to: number): Promise<EndedRun[]> =>
      query(listRuns, { replayId, from, to }),

    /** All runs of the cases at these positions, ordered by case. */
    listRunsAt: (replayId: string, positions: readonly number[]): Promise<EndedRun[]> =>
      query(listRunsAt, { replayId, positions: JSON.stringify(positions) }),

    /** The positions of cases whose candidate has run, or of those that it has changed. */
    listPositions: async (page: PositionPage): Promise<number[]> =>
      (await query(listPositions, { ...page, after: page.after ?? -1 })).map(({ position }) => position),
  };
}

export type ReplayCaseRepository = ReturnType<typeof createReplayCaseRepository>;

/** A recorded run costs nothing. */
function toCharge(charge: ChargedRun['charge']) {
  const { agentVersionId = null, turnId = null, credits = 0n, isPriced = true } = charge ?? {};
  return { agentVersionId, turnId, credits: String(credits), isPriced };
}

interface SelectionValues {
  replayId: string;
  byConversation: boolean;
  agentId: string | null;
  tool: string | null;
  tag: string | null;
  from: string | null;
  to: string | null;
  conversationIds: string | null;
  turnIds: string | null;
  outcomes: string;
  seed: string | null;
  most: number;
}

const selectionConditions = {
  agentId:
    't.agent_version_id = ANY (ARRAY(SELECT v.id FROM agent_versions v WHERE v.agent_id = :agentId::uuid))',
  from: 't.created_at >= :from::timestamptz',
  to: 't.created_at < :to::timestamptz',
  conversationIds:
    't.conversation_id = ANY (ARRAY(SELECT jsonb_array_elements_text(:conversationIds::jsonb)::uuid))',
  turnIds: 't.id = ANY (ARRAY(SELECT jsonb_array_elements_text(:turnIds::jsonb)::uuid))',
  tool: 'EXISTS (SELECT FROM tool_calls c WHERE c.turn_id = t.id AND c.name = :tool::text)',
  tag: 'EXISTS (SELECT FROM conversations v WHERE v.id = t.conversation_id AND v.tags @> ARRAY[:tag::text])',
};

/**
 * Turns of other turns' tool calls are part of those, and turns that were rolled back are part of nothing. Copies in forks, and
 * turns that got recorded results, are taken by their ids only. A sample orders by
 * a hash of seed and id, so that the same seed gives the same sample.
 */
function toSelectCases(values: SelectionValues): Statement<SelectionValues, { cases: number }> {
  const { suffix, text } = pickConditions(selectionConditions, values);
  const isNamed = values.conversationIds !== null || values.turnIds !== null;
  return defineStatement(
    `select_replay_cases${suffix}`,
    `WITH target AS (
     SELECT id FROM replays WHERE id = :replayId AND cases IS NULL FOR UPDATE
   ), matching AS (
     SELECT t.id, t.conversation_id, t.ordinal, t.created_at,
       CASE WHEN :byConversation::boolean THEN t.conversation_id ELSE t.id END AS case_id
     FROM turns t
     WHERE t.workspace_id = current_workspace() AND t.parent_turn_id IS NULL AND NOT t.rolled_back
       AND t.settled_at IS NOT NULL AND t.status = ANY (ARRAY(SELECT jsonb_array_elements_text(:outcomes::jsonb)))
       ${isNamed ? '' : 'AND t.copied_from IS NULL AND t.recorded_from IS NULL'}
       ${text} AND EXISTS (SELECT FROM target)
   ), grouped AS (
     SELECT case_id, conversation_id, array_agg(id ORDER BY ordinal) AS turn_ids, min(created_at) AS created_at
     FROM matching GROUP BY case_id, conversation_id
     ORDER BY CASE WHEN :seed::text IS NOT NULL THEN md5(:seed::text || case_id::text) END, min(created_at), case_id
     LIMIT :most::int
   ), inserted AS (
     INSERT INTO replay_cases (replay_id, position, conversation_id, turn_ids)
     SELECT target.id, row_number() OVER (ORDER BY g.created_at, g.case_id) - 1, g.conversation_id, g.turn_ids
     FROM grouped g CROSS JOIN target RETURNING 1
   ), counted AS (
     UPDATE replays SET cases = (SELECT count(*) FROM inserted), updated_at = now()
     WHERE id = (SELECT id FROM target) RETURNING cases
   )
   SELECT cases FROM counted
   UNION ALL SELECT cases FROM replays WHERE id = :replayId AND cases IS NOT NULL LIMIT 1`,
  );
}

interface CaseRange {
  replayId: string;
  from: number;
  to: number;
}

const listCases = defineStatement<CaseRange, ReplayCase>(
  'list_replay_cases',
  `SELECT position, conversation_id AS "conversationId", turn_ids::text[] AS "turnIds" FROM replay_cases
   WHERE replay_id = :replayId AND position >= :from AND position < :to ORDER BY position`,
);

const listStoredKeys = defineStatement<CaseRange, RunKey>(
  'list_stored_replay_runs',
  `SELECT position, lane, repeat FROM replay_runs
   WHERE replay_id = :replayId AND position >= :from AND position < :to`,
);

interface RunValues {
  replayId: string;
  position: number;
  lane: Lane;
  repeat: number;
  conversationId: string;
  run: string | null;
  comparison: string | null;
  error: string | null;
  connections: number;
  credentials: number;
  counts: number;
  fails: number;
  tokens: number;
  usd: number;
  part: string;
  credits: string;
  isPriced: boolean;
}

const storeRun = defineStatement<RunValues, unknown>(
  'store_replay_run',
  `WITH stored AS (
     INSERT INTO replay_runs (replay_id, position, lane, repeat, conversation_id, run, comparison, error,
       connections_opened, credentials_decrypted)
     VALUES (:replayId, :position, :lane, :repeat, :conversationId, :run::jsonb, :comparison::jsonb, :error::jsonb,
       :connections, :credentials)
     ON CONFLICT DO NOTHING RETURNING replay_id
   ), charged AS (
     INSERT INTO credit_entries AS e (source_id, part, kind, name, status, credits, priced, agent_id, conversation_id, asked_by,
       swarm_id, counted)
     SELECT stored.replay_id, :part, 'replay', :lane, 'settled', :credits::bigint, :isPriced::boolean, caller.*, NOT ${isBudgeted}
     FROM stored, (${replayCaller}) AS caller WHERE :counts::int > 0
     ON CONFLICT (source_id, part) DO UPDATE SET status = 'settled', credits = excluded.credits, priced = excluded.priced,
       counted = excluded.counted WHERE e.status <> 'settled'
   )
   UPDATE replays SET done_runs = done_runs + :counts::int, failed_runs = failed_runs + :fails::int,
     spent_tokens = spent_tokens + :tokens::bigint, spent_usd = spent_usd + :usd::float8, updated_at = now()
   WHERE id = (SELECT replay_id FROM stored)`,
);

const findState = defineStatement<{ replayId: string }, ReplayState>(
  'find_replay_state',
  `SELECT status, spent_tokens AS "spentTokens", spent_usd AS "spentUsd", ${isBudgeted} AS budgeted
   FROM replays WHERE id = :replayId`,
);

const runColumns = `position, lane, repeat, conversation_id AS "conversationId", run, comparison, error,
  jsonb_build_object('connectionsOpened', connections_opened, 'credentialsDecrypted', credentials_decrypted) AS outside`;

const listRunsAt = defineStatement<{ replayId: string; positions: string }, EndedRun>(
  'list_replay_runs_at',
  `SELECT ${runColumns} FROM replay_runs
   WHERE replay_id = :replayId
     AND position = ANY (ARRAY(SELECT jsonb_array_elements_text(:positions::jsonb)::int))
   ORDER BY position, array_position('{original,baseline,candidate}', lane), repeat`,
);

interface PositionPage {
  replayId: string;
  after: number | null;
  onlyChanged: boolean;
  most: number;
}

const listPositions = defineStatement<PositionPage & { after: number }, { position: number }>(
  'list_replay_positions',
  `SELECT DISTINCT position FROM replay_runs
   WHERE replay_id = :replayId AND lane = 'candidate' AND position > :after::int
     AND (NOT :onlyChanged::boolean OR comparison IS NULL OR comparison->'firstDifference' <> 'null'::jsonb)
   ORDER BY position LIMIT :most`,
);

const listRuns = defineStatement<CaseRange, EndedRun>(
  'list_replay_runs',
  `SELECT ${runColumns}
   FROM replay_runs
   WHERE replay_id = :replayId AND position >= :from AND position < :to
   ORDER BY position, array_position('{original,baseline,candidate}', lane), repeat`,
);
