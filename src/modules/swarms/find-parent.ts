import { createSwarmLimitRepository } from '../credits/budgets/swarm-limit-repository.ts';
import { lockWithAbove } from './lock-swarms.ts';
import { createSwarmTurnRepository } from './turns/swarm-turn-repository.ts';
import type { Query } from '../../platform/database/statement.ts';
import { createChildTurnRepository } from '../turns/calls/child-turn-repository.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { SwarmLimits } from '../../domain/swarm.ts';
import { toBudget } from './swarm-budget.ts';

/** The turn whose tool call starts a swarm. */
export interface SpawningTurn {
  turnId: string;
  conversationId: string;
  /** Whether the own rules of its agent hold for the members as well; those above it always do. */
  inheritsRules: boolean;
}

/** The parents of a new swarm, and its limits: at most what the parents have left. */
export interface SwarmParent {
  swarmId: string | null;
  /** The swarms above, outermost first. */
  lineage: string[];
  limits: SwarmLimits;
}

/**
 * Finds the swarm and the turn in which a swarm is started, and cuts its limits to what they have left.
 * @throws HoldfastError `AGENT_DEPTH_EXCEEDED`, or `CONFLICT` when the swarm above ends
 */
export async function findParent(
  query: Query,
  turn: SpawningTurn | undefined,
  wanted: SwarmLimits,
): Promise<SwarmParent> {
  if (!turn) return { swarmId: null, lineage: [], limits: wanted };
  const { turnId, conversationId } = turn;
  const swarmId = await createSwarmTurnRepository(query).findSwarmId({ turnId, conversationId });
  // Swarms are locked before turns.
  const locked = swarmId === null ? null : await lockWithAbove(query, swarmId);
  const caller = await createChildTurnRepository(query).findCallingTurn(turnId);
  const limits = cutTokens(wanted, caller?.tokensLeft ?? Infinity);
  if (!locked) return { swarmId, lineage: [], limits };
  const [parent, ...above] = locked;
  if (parent.status !== 'running' && parent.status !== 'paused')
    throw new HoldfastError('CONFLICT', 'The swarm ends, and starts nothing more.');
  const lineage = [...parent.lineage, parent.id];
  const deepest = Math.min(...[parent, ...above].map((row) => row.lineage.length + row.limits.depth));
  if (lineage.length > deepest)
    throw new HoldfastError(
      'AGENT_DEPTH_EXCEEDED',
      `Swarms may be started ${deepest} deep only. Go on without it.`,
    );
  const left = toBudget([parent, ...above]);
  const timeMs = Math.max(1_000, Math.min(limits.timeMs, left.deadlineAt - Date.now()));
  const creditsLeft = await createSwarmLimitRepository(query).findLeft(lineage);
  return {
    swarmId,
    lineage,
    limits: {
      ...cutTokens(limits, left.tokens),
      credits: cutCredits(limits.credits, creditsLeft),
      timeMs: Math.floor(timeMs),
      turns: Math.max(1, Math.min(limits.turns, left.turns)),
      depth: Math.min(limits.depth, deepest - lineage.length),
    },
  };
}

function cutTokens(limits: SwarmLimits, left: number): SwarmLimits {
  const tokens = Math.min(limits.tokens ?? Infinity, left);
  return { ...limits, tokens: tokens === Infinity ? null : Math.max(1, tokens) };
}

function cutCredits(wanted: string | null, left: bigint | null): string | null {
  if (left === null) return wanted;
  return String(wanted === null || BigInt(wanted) > left ? left : BigInt(wanted));
}
