import type { StoredSubtask } from './subtask-rows.ts';
import type { SwarmBudget } from '../swarm-budget.ts';
import { isOver, type SwarmLimits, type SwarmOutcome, type SwarmStatus } from '../../../domain/swarm.ts';

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
  /** The rest of its limits and of those of the swarms above. */
  budget: Omit<SwarmBudget, 'deadlineAt'>;
  isOutOfTime: boolean;
  /** The reason why a budget lets nothing more run; null while none does. */
  overBudget: string | null;
  subtasks: readonly StoredSubtask[];
  /** The turns that have not ended. */
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
  const { status, budget } = facts;
  if (facts.isOutOfTime) {
    const reason = toReason(budget.limits.time);
    return { ...nothing, end: status === 'ending' ? null : { status: 'stopped', reason }, stops: true };
  }
  if (status === 'ending') return nothing;
  if (budget.tokens <= 0) return toLimit(toReason(budget.limits.tokens));
  if (budget.credits <= 0) return toLimit(toReason(budget.limits.credits));
  if (facts.overBudget !== null) return toLimit(facts.overBudget);
  if (status !== 'running') return nothing;
  const isLost = facts.leaderFails > facts.limits.retries;
  if (isLost)
    return { ...nothing, end: { status: 'failed', reason: 'The turns of the leader have failed.' } };
  return planRunning(facts);
}

function toReason(limit: string): string {
  return `The ${limit} was reached.`;
}

function toLimit(reason: string): SwarmPlan {
  return { ...nothing, end: { status: 'stopped', reason } };
}

function planRunning(facts: SwarmFacts): SwarmPlan {
  const { limits, subtasks, open } = facts;
  const { turns: turnsLeft } = facts.budget;
  const ready = listReady(subtasks);
  const slots = Math.max(0, limits.concurrency - open.subtasks);
  const isIdle = ready.length === 0 && open.subtasks === 0;
  const asksLeader = facts.leader !== null && !open.leader && needsLeader(facts, isIdle);
  const leaderTurns = asksLeader ? 1 : 0;
  if (turnsLeft < leaderTurns || (turnsLeft <= 0 && ready.length > 0 && slots > 0)) {
    const isDone =
      subtasks.length > 0 && subtasks.every(({ status }) => isOver(status) && status !== 'failed');
    if (isDone) return { ...nothing, end: toEnd(subtasks) };
    return toLimit(toReason(facts.budget.limits.turns));
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

/** The leader plans at first, decides about a subtask that failed, and is notified of results when nothing else can run. */
function needsLeader({ subtasks, wasLeaderAsked, leaderFails }: SwarmFacts, isIdle: boolean): boolean {
  if (!wasLeaderAsked && subtasks.length === 0) return true;
  if (leaderFails > 0) return true;
  const news = subtasks.filter(({ status, isReported }) => isOver(status) && !isReported);
  return news.some(({ status }) => status === 'failed') || (isIdle && news.length > 0);
}

/** Ends a swarm in which no turn runs and no decision is open: it has reached its goal, unless subtasks are left. */
function toEnd(subtasks: readonly StoredSubtask[]): NonNullable<SwarmPlan['end']> {
  const left = listLeft(subtasks);
  if (subtasks.length === 0)
    return { status: 'completed', reason: 'The leader has answered without subtasks.' };
  if (left.length === 0) return { status: 'completed', reason: 'All subtasks are done.' };
  return { status: 'failed', reason: `${left.length} subtasks were left: ${nameSome(left)}.` };
}

function listLeft(subtasks: readonly StoredSubtask[]): StoredSubtask[] {
  return subtasks.filter(({ status }) => status === 'failed' || !isOver(status));
}

/** The maximum number of subtasks that are named. */
const mostNamed = 10;

function nameSome(subtasks: readonly StoredSubtask[]): string {
  const names = subtasks.slice(0, mostNamed).map(({ id }) => id);
  return [...names, ...(subtasks.length > mostNamed ? ['and others'] : [])].join(', ');
}

/** The part of the reason of a swarm that has stopped at a limit which says how far it came; empty without subtasks. */
export function describeRest(subtasks: readonly StoredSubtask[]): string {
  if (subtasks.length === 0) return '';
  const left = listLeft(subtasks);
  const done = subtasks.filter(({ status }) => status === 'done').length;
  const rest = left.length === 0 ? 'nothing is left' : `left: ${nameSome(left)}`;
  return ` Done: ${done} of ${subtasks.length} subtasks; ${rest}.`;
}
