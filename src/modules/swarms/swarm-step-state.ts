import type { StoredSubtask } from './tasks/subtask-rows.ts';
import { lockWithAbove } from './lock-swarms.ts';
import { createSwarmRepository } from './swarm-repository.ts';
import type { SwarmRow } from './swarm-rows.ts';
import { createSwarmStateRepository } from './state/swarm-state-repository.ts';
import { createSwarmTurnRepository, type OpenSwarmTurn } from './turns/swarm-turn-repository.ts';
import type { Query } from '../../platform/database/statement.ts';
import type { ErrorInfo } from '../../domain/errors.ts';
import { noteEndedTurns, type EndedTurns } from './turns/note-ended-turns.ts';
import { toBudget, type SwarmBudget } from './swarm-budget.ts';

/** The state of a swarm within a step. */
export interface SwarmStepState {
  row: SwarmRow;
  /** The ids of the swarm and of those above. */
  swarmIds: string[];
  budget: SwarmBudget;
  /** The reason why a budget lets nothing more run; null while none does. */
  overBudget: string | null;
  subtasks: StoredSubtask[];
  /** The turns that have not ended. */
  open: OpenSwarmTurn[];
}

/** The stored state of a swarm that is locked for a step. */
interface LockedSwarm {
  /** The swarm, and those above it. */
  rows: [SwarmRow, ...SwarmRow[]];
  /** The turns that were not seen to have ended. */
  open: OpenSwarmTurn[];
  subtasks: StoredSubtask[];
}

/**
 * Locks a swarm and those above it, and reads its subtasks and open turns. The statements are sent together: the later ones
 * see what was stored before the locks were given.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function lockForStep(query: Query, swarmId: string): Promise<LockedSwarm> {
  const [rows, open, subtasks] = await Promise.all([
    lockWithAbove(query, swarmId),
    createSwarmTurnRepository(query).listOpen(swarmId),
    createSwarmStateRepository(query).listSubtasks(swarmId),
  ]);
  return { rows, open, subtasks };
}

/** The state after the turns that have ended, which `storeStep` stores. */
export interface NotedEnds extends SwarmStepState {
  ended: EndedTurns;
}

/** Applies the outcomes of turns that have ended to the state of a swarm. */
export function noteEnds({ rows, open, subtasks: before }: LockedSwarm): NotedEnds {
  const [row] = rows;
  const noted = { retries: row.limits.retries, now: new Date().toISOString() };
  const ended = noteEndedTurns(before, open, noted);
  const { subtasks, endedTurnIds, tokens, credits, leader } = ended;
  const result = leader?.answer ?? null;
  const fails = leader === null ? row.leader_fails : result === null ? row.leader_fails + 1 : 0;
  const [counted, ...above] = rows.map((each) => ({
    ...each,
    tokens_used: each.tokens_used + tokens,
    credits_used: each.credits_used + credits,
  })) as [SwarmRow, ...SwarmRow[]];
  const swarmIds = rows.map(({ id }) => id);
  return {
    row: { ...counted, leader_fails: fails, result: result ?? row.result },
    ...{ swarmIds, budget: toBudget([counted, ...above]), subtasks, ended },
    overBudget: ended.overBudget && toBudgetReason(ended.overBudget, swarmIds),
    open: open.filter(({ turnId }) => !endedTurnIds.includes(turnId)),
  };
}

function toBudgetReason({ message, details }: ErrorInfo, [own, ...above]: string[]): string {
  const { subject = '', credits } = (details ?? {}) as { subject?: string; credits?: string };
  const limit = `The limit of ${credits} credits`;
  const whose = subject === own ? limit : above.includes(subject) ? `${limit} of a swarm above` : 'A budget';
  return `${whose} was reached: ${message}`;
}

/** The turns that begin in a step, and the subtasks that this changes. */
interface BegunTurns {
  subtasks: readonly StoredSubtask[];
  turns: number;
}

/** Stores the outcomes of ended turns, and what changes with those that begin, in statements that are sent together. */
export async function storeStep(
  query: Query,
  { row, swarmIds, ended }: NotedEnds,
  begun: BegunTurns = { subtasks: [], turns: 0 },
): Promise<void> {
  const swarms = createSwarmRepository(query);
  const changed = new Map([...ended.changed, ...begun.subtasks].map((subtask) => [subtask.id, subtask]));
  const use = { turns: begun.turns, tokens: ended.tokens, credits: ended.credits };
  const { leader_fails: fails, result } = row;
  await Promise.all([
    createSwarmStateRepository(query).storeSubtasks(row.id, [...changed.values()]),
    createSwarmTurnRepository(query).markEnded(ended.endedTurnIds),
    Object.values(use).some((used) => used > 0) && swarms.countUse(swarmIds, use),
    ended.leader && swarms.noteLeader({ swarmId: row.id, conversationId: null, result, fails }),
  ]);
}
