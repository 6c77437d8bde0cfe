import type { StoredSubtask } from '../tasks/subtask-rows.ts';
import type { OpenSwarmTurn } from './swarm-turn-repository.ts';
import type { BudgetScope } from '../../../domain/budget.ts';
import type { ErrorInfo } from '../../../domain/errors.ts';
import { isOver } from '../../../domain/swarm.ts';
import { isSettled } from '../../../domain/turn-status.ts';

/** The outcomes of turns that have ended. */
export interface EndedTurns {
  /** The subtasks with the outcomes of their turns. */
  subtasks: StoredSubtask[];
  changed: StoredSubtask[];
  endedTurnIds: string[];
  /** The usage of these turns. */
  tokens: number;
  credits: number;
  /** The error of one of them that a budget of the whole swarm has stopped. */
  overBudget: ErrorInfo | null;
  /**
   * Set when a turn of the leader has ended: its answer, or null when it failed. It has failed too when its last change was
   * refused and left nothing to be done.
   */
  leader: { answer: string | null } | null;
}

/**
 * Applies the outcomes of turns that have ended to their subtasks. A subtask that failed is tried again `retries` times; one
 * whose turn was cancelled, or stopped by a budget, is not.
 */
export function noteEndedTurns(
  subtasks: readonly StoredSubtask[],
  open: readonly OpenSwarmTurn[],
  { retries, now }: { retries: number; now: string },
): EndedTurns {
  const ended = open.filter(({ status }) => isSettled(status));
  const byTurn = new Map(ended.map((turn) => [turn.turnId, turn]));
  const changed = new Map<string, StoredSubtask>();
  for (const subtask of subtasks) {
    const turn = subtask.turn_id === null ? undefined : byTurn.get(subtask.turn_id);
    if (turn && subtask.status === 'in_progress')
      changed.set(subtask.id, toEnded(subtask, turn, { retries, now }));
    else if (turn && subtask.status === 'done' && turn.status === 'completed')
      changed.set(subtask.id, { ...subtask, result: turn.answer });
  }
  const ofLeader = ended.find(({ subtaskId }) => subtaskId === null);
  const noted = subtasks.map((subtask) => changed.get(subtask.id) ?? subtask);
  const isLeft = noted.some(({ status }) => !isOver(status));
  return {
    subtasks: noted,
    changed: [...changed.values()],
    endedTurnIds: ended.map(({ turnId }) => turnId),
    tokens: ended.reduce((sum, { tokens }) => sum + tokens, 0),
    credits: ended.reduce((sum, { credits }) => sum + credits, 0),
    overBudget: ended.find(({ error }) => isOfSwarm(error))?.error ?? null,
    leader: ofLeader ? { answer: hasDecided(ofLeader, isLeft) ? (ofLeader.answer ?? '') : null } : null,
  };
}

function hasDecided({ status, hasFailedChange }: OpenSwarmTurn, isLeft: boolean): boolean {
  return status === 'completed' && (isLeft || !hasFailedChange);
}

function toEnded(
  subtask: StoredSubtask,
  turn: OpenSwarmTurn,
  { retries, now }: { retries: number; now: string },
): StoredSubtask {
  if (turn.status === 'completed')
    return { ...subtask, status: 'done', result: turn.answer, error: null, isReported: false, ended_at: now };
  const error = turn.error ?? toError(turn);
  const isAgain = turn.status !== 'cancelled' && !isFinal(error) && subtask.tries <= retries;
  if (isAgain) return { ...subtask, status: 'todo', error };
  return { ...subtask, status: 'failed', error, isReported: false, ended_at: now };
}

/** Errors that come back however often a turn is tried again. */
function isFinal({ code }: ErrorInfo): boolean {
  return code === 'BUDGET_EXCEEDED' || code === 'PRICE_UNKNOWN';
}

/** A budget of one agent stops only this one; the others stop all members of a swarm. */
function isOfSwarm(error: ErrorInfo | null): boolean {
  if (error?.code !== 'BUDGET_EXCEEDED') return false;
  const { scope } = (error.details ?? {}) as { scope?: BudgetScope };
  return scope !== 'agent';
}

function toError({ status, answer }: OpenSwarmTurn): ErrorInfo {
  const code =
    status === 'cancelled' ? 'TURN_CANCELLED' : status === 'timed_out' ? 'TURN_TIMED_OUT' : 'TOOL_FAILED';
  return { code, message: answer ?? `The turn ended as ${status}.` };
}
