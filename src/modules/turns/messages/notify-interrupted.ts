import type { CancelledAction } from './steering-repository.ts';
import type { TurnInterruption } from './store-busy-turn.ts';
import { stopTurns } from '../cancel-turn.ts';
import type { TurnDependencies } from '../turn-dependencies.ts';

type Dependencies = Pick<TurnDependencies, 'notifier' | 'cancelTurn' | 'notifyDecision' | 'logger'>;

/** Notifies the running turn of the effect of a stored message. A turn that was not notified reads it in its next step. */
export async function notifyInterrupted(
  dependencies: Dependencies,
  interruption: TurnInterruption,
): Promise<void> {
  const { cancelled, stopping, actions, steeredNow } = interruption;
  if (steeredNow !== null) dependencies.notifier.steerNow(steeredNow);
  await Promise.all([
    cancelled === null ? null : stopTurns(dependencies, { stepsOf: stopping, workflowsOf: [cancelled] }),
    notifyOfCancelledActions(dependencies, actions),
  ]);
}

/** Notifies turns that the actions they wait for were cancelled. The sweeper notifies the turns that this cannot reach. */
export async function notifyOfCancelledActions(
  { notifyDecision, logger }: Pick<Dependencies, 'notifyDecision' | 'logger'>,
  actions: CancelledAction[],
): Promise<void> {
  await Promise.all(
    actions.map(({ id, turnId }) =>
      notifyDecision(turnId, id).catch((error: unknown) =>
        logger.warn({ err: error, turnId }, 'an action is cancelled, but the turn was not told'),
      ),
    ),
  );
}
