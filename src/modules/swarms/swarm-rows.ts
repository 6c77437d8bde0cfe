import type { ActorRef } from '../../domain/actor.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { Swarm, SwarmLimits, SwarmOutcome, SwarmStatus, TeamConfig } from '../../domain/swarm.ts';

/** A row of `swarms`. */
export interface SwarmRow {
  id: string;
  kind: Swarm['kind'];
  goal: string;
  leader_agent_id: string | null;
  conversation_id: string | null;
  team_config: TeamConfig;
  limits: SwarmLimits;
  status: SwarmStatus;
  /** The status that a swarm gets which is `ending`. */
  ends_as: SwarmOutcome | null;
  reason: string | null;
  result: string | null;
  request_hash: string;
  started_by: ActorRef | null;
  parent_swarm_id: string | null;
  parent_turn_id: string | null;
  parent_conversation_id: string | null;
  /** The swarms above, outermost first. */
  lineage: string[];
  leader_fails: number;
  turns_used: number;
  tokens_used: number;
  credits_used: number;
  created_at: Date;
  deadline_at: Date;
  settled_at: Date | null;
}

/** A swarm as callers see it. */
export function toSwarm(row: SwarmRow): Swarm {
  return {
    id: row.id,
    kind: row.kind,
    goal: row.goal,
    leader: row.leader_agent_id,
    conversationId: row.conversation_id,
    status: row.status,
    limits: row.limits,
    turnsUsed: row.turns_used,
    tokensUsed: row.tokens_used,
    creditsUsed: String(row.credits_used),
    parentSwarmId: row.parent_swarm_id,
    parentTurnId: row.parent_turn_id,
    depth: row.lineage.length,
    reason: row.reason,
    result: row.result,
    startedBy: row.started_by,
    createdAt: row.created_at.toISOString(),
    deadlineAt: row.deadline_at.toISOString(),
    settledAt: row.settled_at?.toISOString() ?? null,
  };
}

/** The error of a swarm id that the workspace does not have. */
export function swarmNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no swarm ${id}.`);
}
