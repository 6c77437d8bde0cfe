import type { StoredSubtask } from '../db/swarms/subtask-rows.ts';
import { isOver, type SwarmLimits, type SwarmOutcome, type SwarmStatus } from '../domain/swarm.ts';

/** The facts of a swarm that decide what follows. */
export interface SwarmFacts {
  status: SwarmStatus;
  limits: SwarmLimits;
  /** The agent that leads; null for a swarm without one. */
  leader: string | null;
  /** Whether the leader was ever asked. */
  wasLeaderAsked: boolean;
  /** How many turns of the leader failed one after the other. */
  leaderFails: number;
  /** The turns and tokens that are left of it and of the swarms above. */
  turnsLeft: number;
  tokensLeft: number;
  isOutOfTime: boolean;
  subtasks: readonly StoredSubtask[];
  /** The turns that are not over. */
  open: { leader: boolean; subtasks: number };
}

/** The next step of a swarm. */
export interface SwarmPlan {
  /** Subtasks that begin now. */
  start: StoredSubtask[];
  /** Whether the leader gets a turn. */
  asksLeader: boolean;
  /** Set when the swarm begins to end. */
  end: { status: SwarmOutcome; reason: string } | null;
  /** Whether all turns have to stop. */
  stops: boolean;
}

const nothing: SwarmPlan = { start: [], asksLeader: false, end: null, stops: false };

/** Decides what follows in a swarm. */
export function planSwarm(facts: SwarmFacts): SwarmPlan {
  const { status, limits } = facts;
  if (facts.isOutOfTime) {
    const reason = `The time limit of ${limits.timeMs / 1000} seconds was reached.`;
    return { ...nothing, end: status === 'ending' ? null : { status: 'stopped', reason }, stops: true };
  }
  if (status === 'ending') return nothing;
  if (facts.tokensLeft <= 0) {
    return toLimit(`The limit of ${limits.tokens ?? 'the swarm above'} tokens was reached.`);
  }
  if (status !== 'running') return nothing;
  const isLost = facts.leaderFails > limits.retries;
  if (isLost)
    return { ...nothing, end: { status: 'failed', reason: 'The turns of the leader have failed.' } };
  return planRunning(facts);
}

function toLimit(reason: string): SwarmPlan {
  return { ...nothing, end: { status: 'stopped', reason } };
}

function planRunning(facts: SwarmFacts): SwarmPlan {
  const { limits, subtasks, open, turnsLeft } = facts;
  const ready = listReady(subtasks);
  const slots = Math.max(0, limits.concurrency - open.subtasks);
  const isIdle = ready.length === 0 && open.subtasks === 0;
  const asksLeader = facts.leader !== null && !open.leader && needsLeader(facts, isIdle);
  const leaderTurns = asksLeader ? 1 : 0;
  if (turnsLeft < leaderTurns || (turnsLeft <= 0 && ready.length > 0 && slots > 0)) {
    const isDone =
      subtasks.length > 0 && subtasks.every(({ status }) => isOver(status) && status !== 'failed');
    if (isDone) return { ...nothing, end: toEnd(subtasks) };
    return toLimit(`The limit of ${limits.turns} turns was reached.`);
  }
  const start = ready.slice(0, Math.min(slots, turnsLeft - leaderTurns));
  if (start.length > 0 || asksLeader || !isIdle || open.leader) return { ...nothing, start, asksLeader };
  return { ...nothing, end: toEnd(subtasks) };
}

const order = { high: 0, medium: 1, low: 2 };

/** Subtasks whose dependencies are done, by priority and then in their order. */
function listReady(subtasks: readonly StoredSubtask[]): StoredSubtask[] {
  const done = new Set(subtasks.filter(({ status }) => status === 'done').map(({ id }) => id));
  return subtasks
    .filter(({ status, depends_on: needed }) => status === 'todo' && needed.every((id) => done.has(id)))
    .toSorted((one, other) => order[one.priority] - order[other.priority] || one.position - other.position);
}

/** The leader plans at first, decides about a subtask that failed, and is told of results when nothing else can run. */
function needsLeader({ subtasks, wasLeaderAsked, leaderFails }: SwarmFacts, isIdle: boolean): boolean {
  if (!wasLeaderAsked && subtasks.length === 0) return true;
  if (leaderFails > 0) return true;
  const news = subtasks.filter(({ status, isTold }) => isOver(status) && !isTold);
  return news.some(({ status }) => status === 'failed') || (isIdle && news.length > 0);
}

/** Nothing runs and nobody has to decide: the swarm has reached its goal, unless subtasks are left. */
function toEnd(subtasks: readonly StoredSubtask[]): NonNullable<SwarmPlan['end']> {
  const left = subtasks.filter(({ status }) => status === 'failed' || !isOver(status));
  if (left.length === 0) return { status: 'completed', reason: 'All subtasks are done.' };
  const ids = left.slice(0, 10).map(({ id }) => id);
  return { status: 'failed', reason: `${left.length} subtasks were left: ${ids.join(', ')}.` };
}
