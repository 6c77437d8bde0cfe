import {
  createSteeringRepository,
  takesMessagesOf,
  type CancelledAction,
  type SteeringRepository,
} from './steering-repository.ts';
import type { Actor, Viewer } from '../../../domain/actor.ts';
import { refuseOtherPerson } from '../../../domain/authorize.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { Turn } from '../../../domain/turn.ts';
import { requireSeen } from '../../workspaces/require-seen.ts';
import { notifyOfCancelledActions } from './notify-interrupted.ts';
import type { TurnDependencies } from '../turn-dependencies.ts';

type Dependencies = Pick<TurnDependencies, 'database' | 'notifier' | 'notifyDecision' | 'logger'>;

/**
 * Gives a queued message to the running turn, which takes it before its next model call; `now` ends the model call that
 * runs. Without a running turn the message keeps its position in the queue, as that of another person does. Returns the
 * turn that the message was to start.
 * @throws HoldfastError `NOT_FOUND`, `MESSAGE_TAKEN`; `FORBIDDEN` for the message of another person
 */
export async function steerMessage(
  dependencies: Dependencies,
  actor: Viewer,
  { messageId, now = false }: { messageId: string; now?: boolean | undefined },
): Promise<Turn> {
  const { workspaceId, actsFor = null } = actor;
  await requireSeen(dependencies.database, actor, { kind: 'message', id: messageId });
  const { turn, actions, taker } = await dependencies.database.transact(workspaceId, async (query) => {
    const steering = createSteeringRepository(query);
    const { open, turn: queued } = await lockQueued(steering, messageId, { actsFor });
    const isTaken = open !== null && takesMessagesOf(open, toPerson(queued));
    const cancelled: CancelledAction[] = isTaken ? await steering.cancelActions(open.id) : [];
    return { turn: await steering.steer(queued.id), actions: cancelled, taker: isTaken ? open.id : null };
  });
  dependencies.notifier.events(turn.conversationId);
  if (now && taker !== null) dependencies.notifier.steerNow(taker);
  await notifyOfCancelledActions(dependencies, actions);
  return turn;
}

/**
 * Takes a queued message back: the model never sees it. Returns its turn, which has ended.
 * @throws HoldfastError `NOT_FOUND`, `MESSAGE_TAKEN`; `FORBIDDEN` for the message of another person
 */
export async function withdrawMessage(
  { database, notifier }: Pick<Dependencies, 'database' | 'notifier'>,
  actor: Viewer,
  messageId: string,
): Promise<Turn> {
  const { workspaceId, actsFor = null } = actor;
  await requireSeen(database, actor, { kind: 'message', id: messageId });
  const turn = await database.transact(workspaceId, async (query) => {
    const steering = createSteeringRepository(query);
    const { turn: queued } = await lockQueued(steering, messageId, { actsFor });
    return steering.withdraw({ ...queued, messageId });
  });
  notifier.events(turn.conversationId);
  return turn;
}

async function lockQueued(steering: SteeringRepository, messageId: string, actor: Pick<Actor, 'actsFor'>) {
  const conversationId = await steering.findConversation(messageId);
  if (conversationId === null) throw new HoldfastError('NOT_FOUND', `There is no message ${messageId}.`);
  const open = await steering.lockOpenTurn(conversationId);
  const turn = await steering.lockTurnOfMessage(messageId);
  if (turn) refuseOtherPerson(actor, toPerson(turn));
  const isTaken = turn !== null && open !== null && (await steering.isTaken(turn.id));
  if (turn?.status === 'queued' && !isTaken) return { open, turn };
  const holder = isTaken ? open : turn;
  const place = holder ? `The turn ${holder.id} has it` : 'Another turn has it';
  throw new HoldfastError('MESSAGE_TAKEN', `The message does not wait any more. ${place}.`, {
    details: { turnId: holder?.id ?? null },
  });
}

/** The person for whom the turn of a queued message acts. No other turn stands above it. */
function toPerson({ startedBy }: Turn): string | null {
  return startedBy?.actingFor ?? null;
}
