import type { ActorRef } from '../../../domain/actor.ts';
import type { JsonObject, JsonValue } from '../../../domain/json.ts';
import type { RoutineRun, RoutineRunStatus } from '../../../domain/routine.ts';
import { toOwnerKey } from '../../../domain/person.ts';
import { toRoutineLimits, type RoutineLimits } from '../routine-limits.ts';
import { toStorableJson } from '../../../domain/storable.ts';
import { newId } from '../../../platform/lib/ids.ts';
import { toPage, type Page, type PageRequest } from '../../../platform/database/page.ts';
import { createRoutineStepAccess } from '../routine-steps.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import { callerColumns } from '../../credits/credit-sql.ts';
import { toMessageBindings } from '../../turns/turn-start.ts';
import { runNotFound, toRoutineRun, type RoutineRunRow } from './routine-run-rows.ts';

/** A run that is to be stored, with the conversation and the turn that host it. */
export interface NewRoutineRun {
  runId: string;
  conversationId: string;
  routineId: string;
  /** Null for the newest. */
  version: number | null;
  /** The agent that a routine without one acts as. */
  agentId: string | null;
  /** The turn whose call starts the run; a routine without an agent acts as the agent of this turn otherwise. */
  callerTurnId: string | null;
  /** Whether the allowlist and the policies of the agent of that turn hold in the run too. */
  inheritsRules: boolean;
  requestHash: string;
  input: JsonValue;
  title: string;
  startedBy: ActorRef | null;
  parentRunId: string | null;
  depth: number;
  priority: number;
}

/** How a run ended. */
export interface RoutineRunEnd {
  runId: string;
  status: 'completed' | 'faulted' | 'cancelled';
  output: JsonValue;
  error: JsonObject | null;
}

/** A run with the document of its version. */
export interface RunnableRoutine extends RoutineRun {
  workspaceId: string;
  requestHash: string;
  depth: number;
  /** The number of its priority at Temporal, which its turn has. */
  priority: number;
  document: JsonObject;
  limits: RoutineLimits;
}

/** Runs of routines. */
export function createRoutineRunRepository(query: Query) {
  return {
    /**
     * Stores a run with its conversation and turn. A run that a turn starts counts where that turn does, and has the rules of
     * the turns above as a child of that turn has. False when the run is stored already, and when the routine or its agent
     * is gone. Its statements depend on each other.
     */
    insertRun: async (run: NewRoutineRun): Promise<boolean> => {
      const bindings = toRunBindings(run);
      const rows = await query(insertRun, bindings);
      return rows.length > 0;
    },

    findRun: async (runId: string): Promise<RunnableRoutine | null> => {
      const [row] = await query(findRun, { runId });
      if (!row) return null;
      const { workspace_id: workspaceId, depth, priority, request_hash: requestHash, document } = row;
      const limits = toRoutineLimits({ steps: row.routine_steps, hours: row.routine_hours });
      return { ...toRoutineRun(row), workspaceId, depth, priority, requestHash, document, limits };
    },

    /** @throws HoldfastError `NOT_FOUND` */
    getRun: async (runId: string): Promise<RoutineRun> => {
      const [row] = await query(findRun, { runId });
      if (!row) throw runNotFound(runId);
      return toRoutineRun(row);
    },

    /** The depth of the nearest run in which a turn works, itself or through the turns above; null for none. */
    findDepthAbove: async (turnId: string): Promise<number | null> => {
      const [row] = await query(findDepthAbove, { turnId });
      return row?.depth ?? null;
    },

    /** Newest first. */
    listRuns: async ({
      routineId,
      cursor,
      limit,
    }: PageRequest & { routineId?: string | undefined }): Promise<Page<RoutineRun>> => {
      const page = { cursor: cursor ?? null, most: limit + 1 };
      const rows = await (routineId === undefined
        ? query(listRuns, page)
        : query(listRunsOfRoutine, { ...page, routineId }));
      return toPage(rows, limit, toRoutineRun);
    },

    ...createRoutineStepAccess(query),

    /** Notes that a run is paused or continues. */
    setStatus: async (runId: string, status: 'running' | 'paused'): Promise<void> => {
      await query(setStatus, { runId, status });
    },

    /** Stores how a run ended. Null when it had ended before. */
    settleRun: async (end: RoutineRunEnd): Promise<RoutineRun | null> => {
      const [row] = await query(settleRun, {
        ...end,
        output: toStorableJson(end.output),
        error: end.error && toStorableJson(end.error),
        auditId: newId(),
      });
      return row ? toRoutineRun(row) : null;
    },

    /** The ids of the runs that a run has started and that have not ended. */
    listOpenChildren: async (runId: string): Promise<string[]> => {
      const rows = await query(listOpenChildren, { runId });
      return rows.map(({ id }) => id);
    },
  };
}

export type RoutineRunRepository = ReturnType<typeof createRoutineRunRepository>;

function toRunBindings({ input, startedBy, title, ...run }: NewRoutineRun) {
  return {
    ...run,
    ...toMessageBindings(title),
    title,
    input: toStorableJson(input),
    startedBy: startedBy && toStorableJson(startedBy),
    person: toOwnerKey(startedBy?.actingFor),
    auditId: newId(),
  };
}

const insertRun = defineStatement<ReturnType<typeof toRunBindings>, { id: string }>(
  'insert_routine_run',
  `WITH caller AS (
  SELECT t.agent_version_id, ${callerColumns('t')}, t.rule_sources || jsonb_build_object('turnId', t.id,
    'agentId', t.agent_id, 'versionId', t.agent_version_id, 'inherits', :inheritsRules::boolean) AS rule_sources
  FROM turns t WHERE t.id = :callerTurnId::uuid
), target AS (
  SELECT r.id, r.name, coalesce(:version::int, r.version) AS version, a.id AS agent_id,
    CASE WHEN r.agent_id IS NULL AND :agentId::uuid IS NULL THEN caller.agent_version_id ELSE v.id END AS version_id,
    caller.asked_by, caller.conversation_id AS root_conversation_id, caller.swarm_id,
    coalesce(caller.rule_sources, '[]') AS rule_sources
  FROM routines r LEFT JOIN caller ON true
    JOIN agents a ON a.id = coalesce(r.agent_id, :agentId::uuid, caller.agent_id) AND a.deleted_at IS NULL
    JOIN agent_versions v ON v.agent_id = a.id AND v.version = a.current_version
  WHERE r.id = :routineId::uuid AND r.deleted_at IS NULL
), run AS (
  INSERT INTO routine_runs (id, routine_id, version, agent_id, conversation_id, parent_run_id, depth, request_hash, input,
    started_by, caller_turn_id, caller_agent_id)
  SELECT :runId::uuid, id, version, agent_id, :conversationId::uuid, :parentRunId::uuid, :depth::int, :requestHash,
    :input::jsonb, :startedBy::jsonb, CASE WHEN :parentRunId::uuid IS NULL THEN :callerTurnId::uuid END,
    CASE WHEN :parentRunId::uuid IS NULL THEN (SELECT caller.agent_id FROM caller) END FROM target
  ON CONFLICT (id) DO NOTHING RETURNING *
), conversation AS (
  INSERT INTO conversations (id, agent_id, title, last_turn_ordinal, last_event_seq, characters, tags, person)
  SELECT conversation_id, agent_id, :title, 1, 1, :characters::int, ARRAY['routine'],
    coalesce(:person, (SELECT c.person FROM caller JOIN conversations c ON c.id = caller.conversation_id)) FROM run RETURNING id
), turn AS (
  INSERT INTO turns (id, conversation_id, agent_id, agent_version_id, ordinal, request_hash, timeout_ms, message_id, status,
    started_at, start_seen, started_by, asked_by, root_conversation_id, swarm_id, rule_sources, priority)
  SELECT run.id, conversation.id, run.agent_id, target.version_id, 1, 'routine', 0, :messageId::uuid, 'running',
    now(), true, :startedBy::jsonb, target.asked_by, target.root_conversation_id, target.swarm_id, target.rule_sources,
    :priority::smallint
  FROM run, conversation, target
  RETURNING *
), message AS (
  INSERT INTO messages (id, conversation_id, turn_id, turn_ordinal, iteration, role, text)
  SELECT :messageId::uuid, conversation_id, id, 1, 0, 'user', :message FROM turn
), logged AS (
  INSERT INTO events (conversation_id, seq, turn_id, type, payload)
  SELECT turn.conversation_id, 1, turn.id, event ->> 'type', event -> 'payload'
  FROM turn, jsonb_array_elements(:started::jsonb) AS event
), audited AS (
  INSERT INTO audit_pending (id, type, subject_id, payload)
  SELECT :auditId::uuid, 'routine_run.started', run.id, jsonb_build_object('routine', run.routine_id, 'version', run.version)
  FROM run
)
SELECT id FROM run`,
);

const columns = 'run.*, r.name AS routine_name';

const findRun = defineStatement<
  { runId: string },
  RoutineRunRow & {
    document: JsonObject;
    priority: number;
    routine_steps: number | null;
    routine_hours: number | null;
  }
>(
  'find_routine_run',
  `SELECT ${columns}, v.document, coalesce((SELECT t.priority FROM turns t WHERE t.id = run.id), 3) AS priority,
     w.routine_steps, w.routine_hours
   FROM routine_runs run JOIN routines r ON r.id = run.routine_id JOIN workspaces w ON w.id = run.workspace_id
   JOIN routine_versions v ON v.routine_id = run.routine_id AND v.version = run.version WHERE run.id = :runId`,
);

/** The turn of a run has the id of the run. */
const findDepthAbove = defineStatement<{ turnId: string }, { depth: number }>(
  'find_depth_above',
  `WITH RECURSIVE above AS (
  SELECT id, parent_turn_id, 0 AS level FROM turns WHERE id = :turnId::uuid
  UNION ALL
  SELECT t.id, t.parent_turn_id, above.level + 1 FROM turns t JOIN above ON t.id = above.parent_turn_id
)
SELECT run.depth FROM above JOIN routine_runs run ON run.id = above.id ORDER BY above.level LIMIT 1`,
);

interface RunPage {
  cursor: string | null;
  most: number;
}

/**
 * A condition: the run is older than that of the cursor. The ids of runs come from hashes and have no order. It is one
 * comparison with or without a cursor, by which Postgres finds the place in the index: with an OR it would read all newer runs.
 */
const isBefore = `(run.created_at, run.id) < (
     CASE WHEN :cursor::uuid IS NULL THEN 'infinity' ELSE (SELECT c.created_at FROM routine_runs c WHERE c.id = :cursor::uuid) END,
     CASE WHEN :cursor::uuid IS NULL THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff' ELSE :cursor::uuid END)`;

const listRuns = defineStatement<RunPage, RoutineRunRow>(
  'list_routine_runs',
  `SELECT ${columns} FROM routine_runs run JOIN routines r ON r.id = run.routine_id
   WHERE run.workspace_id = current_workspace() AND ${isBefore}
   ORDER BY run.created_at DESC, run.id DESC LIMIT :most`,
);

const listRunsOfRoutine = defineStatement<RunPage & { routineId: string }, RoutineRunRow>(
  'list_runs_of_routine',
  `SELECT ${columns} FROM routine_runs run JOIN routines r ON r.id = run.routine_id
   WHERE run.routine_id = :routineId::uuid AND ${isBefore}
   ORDER BY run.created_at DESC, run.id DESC LIMIT :most`,
);

const setStatus = defineStatement<{ runId: string; status: RoutineRunStatus }, unknown>(
  'set_routine_run_status',
  'UPDATE routine_runs SET status = :status WHERE id = :runId AND settled_at IS NULL',
);

interface SettleBindings {
  runId: string;
  status: string;
  output: string;
  error: string | null;
  auditId: string;
}

const settleRun = defineStatement<SettleBindings, RoutineRunRow>(
  'settle_routine_run',
  `WITH ended AS (
  UPDATE routine_runs SET status = :status, output = :output::jsonb, error = :error::jsonb, settled_at = now(),
    listening = false
  WHERE id = :runId AND settled_at IS NULL RETURNING *
), audited AS (
  INSERT INTO audit_pending (id, type, subject_id, payload)
  SELECT :auditId::uuid, 'routine_run.ended', id, jsonb_build_object('status', status) FROM ended
)
SELECT ended.*, r.name AS routine_name FROM ended JOIN routines r ON r.id = ended.routine_id`,
);

const listOpenChildren = defineStatement<{ runId: string }, { id: string }>(
  'list_open_child_runs',
  'SELECT id FROM routine_runs WHERE parent_run_id = :runId::uuid AND settled_at IS NULL',
);
