import { notifyOfCancelledActions } from '../../src/modules/turns/messages/notify-interrupted.ts';
import { HoldfastError } from '../../src/domain/errors.ts';
import { isSettled } from '../../src/domain/turn-status.ts';
import type { ReviewActionsInput, ReviewActionsResult } from '../../src/contract/turn-steps.ts';
import type { StepDependencies, StepRepositories } from '../step-dependencies.ts';
import { toActivityFailure } from '../../src/platform/activity/failures.ts';

/** How often a turn looks at the turns below it that wait, should it not be told of a change; in milliseconds. */
const childrenEveryMs = 60 * 60 * 1000;

/**
 * Looks at what a turn waits for, after the time was applied to it: expired actions are over, and somebody is reminded
 * of those that expire soon. A message that steers the top turn ends them. While nothing of it is decided the turn waits, and its time stands still; otherwise the turn
 * runs, with the time that it had left. The turn above is notified of both.
 */
export function createReviewActions({ transact, notifier, engine, logger }: StepDependencies) {
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

async function review({ answers, waiting, steering }: StepRepositories, input: ReviewActionsInput) {
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
  if (decided.length > 0) await waiting.goOn(turnId, timeLeftMs + reserveMs);
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
