import type { ApprovalMode } from '../../../domain/approval.ts';
import type { ActorRef } from '../../../domain/actor.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { RuleSource } from '../../../domain/rules.ts';
import { toStorableJson } from '../../../domain/storable.ts';
import type { ToolEffect } from '../../../domain/tool.ts';
import { newId } from '../../../platform/lib/ids.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import type { CountedLimit } from '../../turns/calls/tool-call-counts.ts';
import { quarantinedTools } from '../../turns/turn-state.ts';

/** The rules that hold today for the calls of a recorded turn. */
export interface LiveRules {
  agentId: string;
  /** The current version of the turn's agent. */
  versionId: string;
  /** The normal form of the name of the person for whom the recorded turn acted. */
  person: string | null;
  /** The turns above the recorded turn, whose rules held for it. */
  ruleSources: RuleSource[];
  /** The ids of the agent's tools that changed since they were accepted. */
  quarantined: string[];
  /** The approval mode of the workspace. */
  approval: ApprovalMode | null;
  /** The effect of the recorded call; null without one. */
  recordedEffect: ToolEffect | null;
  /** Whether a person rejected the recorded call, or one of the turn with the same tool and arguments. */
  isRejected: boolean;
}

/** A call of a recorded turn that a replay is about to make. */
interface CallOfTurn {
  turnId: string;
  recordedCallId: string | null;
  name: string;
  arguments: JsonObject;
}

/** A live call of a replay, for the audit log. */
interface AuditedCall {
  replayId: string;
  payload: JsonObject;
  by: ActorRef;
}

/** The rules and the records of the tool calls that replays make. */
export function createLiveCallRepository(query: Query) {
  return {
    /** Null when the agent of the turn, or the turn, is gone. */
    findRules: async (call: CallOfTurn): Promise<LiveRules | null> => {
      const [row] = await query(findRules, { ...call, arguments: toStorableJson(call.arguments) });
      return row ?? null;
    },

    /** Counts a call for the limits of the day, and answers the calls of the day for each of them, this one included. */
    countDay: (limits: CountedLimit[]): Promise<{ agentId: string; key: string; calls: number }[]> => {
      const daily = limits.filter(({ perDay }) => perDay);
      return daily.length === 0 ? Promise.resolve([]) : query(countDay, { limits: toStorableJson(daily) });
    },

    recordCall: async ({ replayId, payload, by }: AuditedCall): Promise<void> => {
      await query(recordCall, { id: newId(), replayId, payload: toStorableJson({ ...payload, by }) });
    },
  };
}

export type LiveCallRepository = ReturnType<typeof createLiveCallRepository>;

const findRules = defineStatement<
  { turnId: string; recordedCallId: string | null; name: string; arguments: string },
  LiveRules
>(
  'find_rules_of_live_call',
  `SELECT a.id AS "agentId", v.id AS "versionId", t.person, t.rule_sources AS "ruleSources",
     ${quarantinedTools('t')} AS quarantined,
     (SELECT w.approval FROM workspaces w WHERE w.id = t.workspace_id) AS approval,
     (SELECT c.effect FROM tool_calls c WHERE c.id = :recordedCallId::uuid) AS "recordedEffect",
     EXISTS (SELECT FROM tool_calls c WHERE c.turn_id = t.id AND c.error ->> 'code' = 'APPROVAL_REJECTED'
       AND (c.id = :recordedCallId::uuid OR c.name = :name AND c.arguments::jsonb = :arguments::jsonb)) AS "isRejected"
   FROM turns t
   JOIN agents a ON a.id = t.agent_id AND a.deleted_at IS NULL
   JOIN agent_versions v ON v.agent_id = a.id AND v.version = a.current_version
   WHERE t.id = :turnId::uuid`,
);

/** Days are those of UTC, as for the calls of turns. */
const countDay = defineStatement<{ limits: string }, { agentId: string; key: string; calls: number }>(
  'count_live_call',
  `INSERT INTO tool_call_counts (agent_id, tool, day, calls)
   SELECT DISTINCT l."agentId", l.key, (now() AT TIME ZONE 'UTC')::date, 1
   FROM jsonb_to_recordset(:limits::jsonb) AS l ("agentId" uuid, key text)
   ORDER BY l."agentId", l.key
   ON CONFLICT (agent_id, tool, day) DO UPDATE SET calls = tool_call_counts.calls + 1
   RETURNING agent_id AS "agentId", tool AS key, calls`,
);

const recordCall = defineStatement<{ id: string; replayId: string; payload: string }, unknown>(
  'record_live_call',
  `INSERT INTO audit_pending (id, type, subject_id, payload)
   VALUES (:id, 'replay.called', :replayId, :payload::jsonb)`,
);
