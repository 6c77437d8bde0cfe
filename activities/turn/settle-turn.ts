import { HoldfastError } from '../../src/domain/errors.ts';
import { toEndText } from '../../src/domain/own-words.ts';
import { isSettled } from '../../src/domain/turn-status.ts';
import { cancelTurns } from '../../src/modules/turns/cancel-turn.ts';
import { startStoredTurn } from '../../src/modules/turns/start-stored-turn.ts';
import type { SettleTurnInput, SettleTurnResult } from '../../src/contract/turn-steps.ts';
import { closeOpenToolCalls } from '../tool/close-tool-calls.ts';
import type { SettlePort, SettleRepositories } from '../step-dependencies.ts';
import { StepStopped, toActivityFailure, toStopError } from '../../src/platform/activity/failures.ts';
import type { TurnRef } from './read-settled-turn.ts';

/**
 * Ends a turn that did not end by an answer: closes its tool calls, stores a text for the user that names the outcome, and
 * starts the next queued turn. When another step has stored an outcome before, that outcome is kept. A process that runs the
 * turn names itself (`heldBy`).
 * @throws ApplicationFailure with the code of the error: `SERVICE_UNAVAILABLE` when another process holds the turn
 */
export function createSettleTurn(dependencies: SettlePort) {
  const { transact, notifier, turnDependencies, engine, logger } = dependencies;
  return async (input: SettleTurnInput, heldBy?: string): Promise<SettleTurnResult> => {
    try {
      if (input.outcome === 'cancelled') await cancelWaitedWorkflows(dependencies, input);
      const { turn, outcome, next } = await transact(input.workspaceId, (repositories) =>
        settle(repositories, input, heldBy),
      );
      notifier.ended({ conversationId: turn.conversationId, turnId: turn.id });
      const { error } = input;
      logger.info({ turnId: turn.id, conversationId: turn.conversationId, outcome, error }, 'turn settled');
      await cancelTurns(turnDependencies, input, { parentId: turn.id });
      // A turn above that waits for this one does not follow its workflow.
      if (turn.parentTurnId !== null && turn.status === 'waiting_for_approval')
        await engine.notifyDecision(turn.parentTurnId, turn.id);
      if (next) await startStoredTurn(turnDependencies, next);
      return { outcome };
    } catch (error) {
      throw toActivityFailure(error);
    }
  };
}

async function settle(repositories: SettleRepositories, input: SettleTurnInput, heldBy: string | undefined) {
  const { answers } = repositories;
  const turn = await answers.lockTurn(input.turnId);
  if (!turn) throw new HoldfastError('NOT_FOUND', `There is no turn ${input.turnId}.`);
  if (isSettled(turn.status)) return { turn, outcome: turn.status, next: null };
  if (heldBy !== undefined && turn.heldBy !== heldBy)
    throw toStopError(new StepStopped('lost'), 'its outcome was being stored');
  await closeOpenToolCalls(repositories, turn.id, turn.iterations);
  const partial = await answers.findPartialText(turn.id, turn.iterations + 1);
  const answer = [partial, toEndText(input, turn.timeoutMs)].filter((text) => text !== '').join('\n\n');
  await answers.settleTurn({
    turnId: turn.id,
    outcome: input.outcome,
    answer,
    error: input.error ?? null,
    event: {
      type: 'turn.settled',
      payload: {
        outcome: input.outcome,
        answer,
        error: input.error ?? null,
        iterations: turn.iterations,
        usage: turn.usage,
      },
    },
  });
  if (turn.rolledBack) await answers.uncountTurn(turn.id);
  return { turn, outcome: input.outcome, next: await answers.promoteNextTurn(turn.conversationId) };
}

/**
 * Cancels the workflows that the open tool calls of a turn wait for; detached workflows continue. A cancellation that
 * fails is logged and does not keep the turn from being settled.
 */
async function cancelWaitedWorkflows(
  { pipelined, engine, logger }: SettlePort,
  { workspaceId, turnId }: TurnRef,
): Promise<void> {
  const waited = await pipelined(workspaceId, ({ childTurns }) => childTurns.listWaitedFor(turnId));
  const requests = await Promise.allSettled(waited.map(engine.cancelWorkflow));
  for (const one of requests) {
    if (one.status === 'rejected') {
      logger.warn({ err: one.reason as unknown }, 'a workflow was not told to stop');
    }
  }
}
