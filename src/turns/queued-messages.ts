import {
  createSteeringRepository,
  type CancelledAction,
  type SteeringRepository,
} from '../db/turns/steering-repository.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { Turn } from '../domain/turn.ts';
import { tellCancelledActions } from './disturb-turn.ts';
import type { TurnDependencies, TurnPrincipal } from './turn-dependencies.ts';

type Dependencies = Pick<TurnDependencies, 'database' | 'notifier' | 'tellDecision' | 'logger'>;

/**
 * Gives a queued message to the turn that runs, which takes it before its next model call. Without a running turn the
 * message stays where it is in the queue. Returns the turn that the message was to start.
 * @throws HoldfastError `NOT_FOUND`, `MESSAGE_TAKEN`
 */
export async function steerMessage(
  dependencies: Dependencies,
  { workspaceId }: TurnPrincipal,
  messageId: string,
): Promise<Turn> {
  const { turn, actions } = await dependencies.database.transact(workspaceId, async (query) => {
    const steering = createSteeringRepository(query);
    const { open, turn: queued } = await lockQueued(steering, messageId);
    const cancelled: CancelledAction[] = open ? await steering.cancelActions(open.id) : [];
    return { turn: await steering.steer(queued.id), actions: cancelled };
  });
  dependencies.notifier.events(turn.conversationId);
  await tellCancelledActions(dependencies, actions);
  return turn;
}

/**
 * Takes a queued message back: the model never sees it. Returns its turn, which is over.
 * @throws HoldfastError `NOT_FOUND`, `MESSAGE_TAKEN`
 */
export async function withdrawMessage(
  { database, notifier }: Pick<Dependencies, 'database' | 'notifier'>,
  { workspaceId }: TurnPrincipal,
  messageId: string,
): Promise<Turn> {
  const turn = await database.transact(workspaceId, async (query) => {
    const steering = createSteeringRepository(query);
    const { turn: queued } = await lockQueued(steering, messageId);
    return steering.withdraw({ ...queued, messageId });
  });
  notifier.events(turn.conversationId);
  return turn;
}

async function lockQueued(steering: SteeringRepository, messageId: string) {
  const conversationId = await steering.findConversation(messageId);
  if (conversationId === null) throw new HoldfastError('NOT_FOUND', `There is no message ${messageId}.`);
  const open = await steering.lockOpenTurn(conversationId);
  const turn = await steering.lockTurnOfMessage(messageId);
  const isTaken = turn !== null && open !== null && (await steering.isTaken(turn.id));
  if (turn?.status === 'queued' && !isTaken) return { open, turn };
  const holder = isTaken ? open : turn;
  const place = holder ? `The turn ${holder.id} has it` : 'Another turn has it';
  throw new HoldfastError('MESSAGE_TAKEN', `The message does not wait any more. ${place}.`, {
    details: { turnId: holder?.id ?? null },
  });
}
