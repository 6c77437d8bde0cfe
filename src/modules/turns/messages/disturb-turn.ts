import type { CancelledAction } from './steering-repository.ts';
import type { Disturbance } from './store-busy-turn.ts';
import { stopTurns } from '../cancel-turn.ts';
import type { TurnDependencies } from '../turn-dependencies.ts';

type Dependencies = Pick<TurnDependencies, 'notifier' | 'cancelTurn' | 'tellDecision' | 'logger'>;

/** Tells the turn that runs what a stored message has done to it. A turn that was not told reads it in its next step. */
export async function tellDisturbed(dependencies: Dependencies, disturbance: Disturbance): Promise<void> {
  const { cancelled, stopping, actions, steeredNow } = disturbance;
  if (steeredNow !== null) dependencies.notifier.steerNow(steeredNow);
  await Promise.all([
    cancelled === null ? null : stopTurns(dependencies, { stepsOf: stopping, workflowsOf: [cancelled] }),
    tellCancelledActions(dependencies, actions),
  ]);
}

/** Tells turns that the actions they wait for were cancelled. The sweeper tells those again that were not told. */
export async function tellCancelledActions(
  { tellDecision, logger }: Pick<Dependencies, 'tellDecision' | 'logger'>,
  actions: CancelledAction[],
): Promise<void> {
  await Promise.all(
    actions.map(({ id, turnId }) =>
      tellDecision(turnId, id).catch((error: unknown) =>
        logger.warn({ err: error, turnId }, 'an action is cancelled, but the turn was not told'),
      ),
    ),
  );
}
