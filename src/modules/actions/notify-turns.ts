import type { ActionRow } from './action-rows.ts';
import type { ActionDependencies } from './action-dependencies.ts';

/** How many turns are told at the same time. */
const groupSize = 50;

/** Tells turns, and those who follow them, of the decided actions. One that cannot be told is told by the sweeper. */
export async function notifyTurns(
  { notifier, notifyDecision, logger }: Pick<ActionDependencies, 'notifier' | 'notifyDecision' | 'logger'>,
  actions: Pick<ActionRow, 'id' | 'turn_id' | 'conversation_id'>[],
): Promise<void> {
  for (const { conversation_id: conversationId } of actions) notifier.events(conversationId);
  for (let start = 0; start < actions.length; start += groupSize) {
    await Promise.all(
      actions
        .slice(start, start + groupSize)
        .map(({ id, turn_id: turnId }) =>
          notifyDecision(turnId, id).catch((error: unknown) =>
            logger.warn({ err: error, turnId }, 'the decision is stored, but the turn was not told'),
          ),
        ),
    );
  }
}
