import type { ActorRef } from '../../../domain/actor.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { JsonObject, JsonValue } from '../../../domain/json.ts';
import type { RoutineRun, RoutineRunStatus } from '../../../domain/routine.ts';

/** A row of `routine_runs`, with the name of its routine. */
export interface RoutineRunRow {
  id: string;
  workspace_id: string;
  routine_id: string;
  routine_name: string;
  version: number;
  agent_id: string;
  conversation_id: string;
  parent_run_id: string | null;
  caller_turn_id: string | null;
  caller_agent_id: string | null;
  depth: number;
  request_hash: string;
  status: RoutineRunStatus;
  input: JsonValue;
  output: JsonValue;
  error: JsonObject | null;
  started_by: ActorRef | null;
  created_at: Date;
  settled_at: Date | null;
}

/** A run as the API shows it. */
export function toRoutineRun(row: RoutineRunRow): RoutineRun {
  return {
    id: row.id,
    routineId: row.routine_id,
    routineName: row.routine_name,
    version: row.version,
    agentId: row.agent_id,
    conversationId: row.conversation_id,
    parentRunId: row.parent_run_id,
    status: row.status,
    input: row.input,
    output: row.output,
    error: row.error,
    startedBy: row.started_by,
    callerTurnId: row.caller_turn_id,
    callerAgentId: row.caller_agent_id,
    createdAt: row.created_at.toISOString(),
    settledAt: row.settled_at?.toISOString() ?? null,
  };
}

/** The error of a run that the workspace does not have. */
export function runNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no routine run ${id}.`);
}
