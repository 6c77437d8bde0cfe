import { notifyOfCancelledActions } from '../../src/modules/turns/messages/notify-interrupted.ts';
import { HoldfastError } from '../../src/domain/errors.ts';
import { isSettled } from '../../src/domain/turn-status.ts';
import type { ReviewActionsInput, ReviewActionsResult } from '../../src/contract/turn-steps.ts';
import type { SettlePort, StepRepositories } from '../step-dependencies.ts';
import { toActivityFailure } from '../../src/platform/activity/failures.ts';

/** How often a turn reads the waiting turns below it when no notification of a change arrives, in milliseconds. */
const childrenEveryMs = 60 * 60 * 1000;

/**
 * Applies the time to the actions that a turn waits for, and returns those that are decided: expired actions are over, and a
 * reminder is sent for those that expire soon. A message that steers the top turn cancels them. While none is decided the
 * turn waits, and its time stands still; otherwise it runs with the time that it had left. The turn above is notified of both.
 */
export function createReviewActions({ transact, notifier, engine, logger }: SettlePort) {
  return async (input: ReviewActionsInput): Promise<ReviewActionsResult> => {
    const { workspaceId, turnId } = input;
    try {
      const { turn, reviewed, cancelled } = await transact(workspaceId, (repositories) =>
        review(repositories, input),
      );
      notifier.events(turn.conversationId);
      const below = cancelled.filter((action) => action.turnId !== turnId);
      await notifyOfCancelledActions({ ...engine, logger }, below);
      if (turn.parentTurnId !== null) await engine.notifyDecision(turn.parentTurnId, turnId);
      return reviewed;
    } catch (error) {
      throw toActivityFailure(error);
    }
  };
}

async function review(
  { answers, waiting, steering }: Pick<StepRepositories, 'answers' | 'waiting' | 'steering'>,
  input: ReviewActionsInput,
) {
  const { turnId, actionIds, timeLeftMs, reserveMs } = input;
  const turn = await answers.lockTurn(turnId);
  if (!turn || isSettled(turn.status)) {
    throw new HoldfastError('TURN_SETTLED', `The turn is ${turn?.status ?? 'gone'} already.`);
  }
  if (turn.cancelRequested) throw new HoldfastError('TURN_CANCELLED', 'The turn was cancelled.');
  const isSteered = await steering.isSteered(turnId);
  await waiting.applyTime(turnId, { locksAll: isSteered });
  const cancelled = isSteered ? await steering.cancelActions(turnId) : [];
  const pending = await listPending({ waiting }, turnId);
  const decided = actionIds.filter((id) => !pending.has(id));
  if (decided.length > 0) await waiting.resume(turnId, timeLeftMs + reserveMs);
  else await waiting.beginWaiting(turnId, timeLeftMs);
  return { turn, cancelled, reviewed: { decided, dueAt: Math.min(...pending.values()) } };
}

/** Returns when each action and each turn below that waits has to be looked at, in epoch milliseconds. */
async function listPending(
  { waiting }: Pick<StepRepositories, 'waiting'>,
  turnId: string,
): Promise<Map<string, number>> {
  const actions = await waiting.listPending(turnId);
  const children = await waiting.listWaitingChildren(turnId);
  return new Map([
    ...actions.map(({ id, dueAt }) => [id, dueAt] as const),
    ...children.map((id) => [id, Date.now() + childrenEveryMs] as const),
  ]);
}
