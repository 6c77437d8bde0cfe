import { storeNewTurn, type StoredTurn } from './store-turn.ts';
import { toActorRef, type ActorRef } from '../../domain/actor.ts';
import type { Turn, TurnInput } from '../../domain/turn.ts';
import { newId, toTurnId } from '../../platform/lib/ids.ts';
import { toRequestHash } from '../../platform/lib/request-hash.ts';
import { interruptsTurn, storeBusyTurn } from './messages/store-busy-turn.ts';
import { claimConversation } from './conversations/claim-conversation.ts';
import { notifyInterrupted } from './messages/notify-interrupted.ts';
import { startWaitingTurns } from './start-waiting-turns.ts';
import { startStoredTurn } from './start-stored-turn.ts';
import type { TurnDependencies, TurnPrincipal, TurnStarter } from './turn-dependencies.ts';
import { createInvalidInput } from '../../domain/errors.ts';

/** A message to an agent, and the id of the turn that it starts. */
export interface TurnSubmission {
  turnId: string;
  conversationId: string;
  input: TurnInput;
  /** Lower numbers go first. @default 3 */
  priority?: number;
  /** Those who changed what the turn does, besides its starter. @default none */
  participants?: readonly ActorRef[];
  /** Whether a worker may run the turn without a workflow when its agent asks for that. @default false */
  mayRunDirectly?: boolean;
}

type StoreDependencies = Pick<
  TurnDependencies,
  'database' | 'notifier' | 'cancelTurn' | 'notifyDecision' | 'checksOf' | 'logger'
>;

/** The id of a turn: the same for every submission under one idempotency key, and a new one without a key. */
export function chooseTurnId({ workspaceId }: TurnPrincipal, idempotencyKey: string | undefined): string {
  return idempotencyKey === undefined ? newId() : toTurnId(workspaceId, idempotencyKey);
}

/**
 * Stores a turn and starts it. A stored turn is not lost when its start fails: the sweeper starts it.
 * @throws HoldfastError `NOT_FOUND`, `INVALID_INPUT`, `CONFLICT`, `TURN_RUNNING`, `QUEUE_FULL`, `IDEMPOTENCY_KEY_REUSED`, and
 * `TURN_MISMATCH` or `ROLLBACK_REFUSED` for messages that change the turn that runs
 */
export async function submitTurn(
  dependencies: StoreDependencies & Pick<TurnDependencies, 'startTurn'>,
  actor: TurnStarter,
  submission: TurnSubmission,
): Promise<{ accepted: boolean; turn: Turn }> {
  const { accepted, turn, start } = await storeTurn(dependencies, actor, {
    ...submission,
    mayRunDirectly: true,
  });
  if (start) await startStoredTurn(dependencies, start);
  // A place may have become free while the turn was stored.
  else if (turn.status === 'queued') await startWaitingTurns(dependencies, actor);
  return { accepted, turn };
}

/**
 * Stores a turn, and answers the input of its workflow for callers that start that workflow. A turn that is stored
 * already is found again.
 * @throws HoldfastError `NOT_FOUND`, `INVALID_INPUT`, `CONFLICT`, `TURN_RUNNING`, `QUEUE_FULL`, `IDEMPOTENCY_KEY_REUSED`, and
 * `TURN_MISMATCH` or `ROLLBACK_REFUSED` for messages that change the turn that runs
 */
export async function storeTurn(
  dependencies: StoreDependencies,
  starter: TurnStarter,
  submission: TurnSubmission,
): Promise<StoredTurn> {
  const { database, notifier } = dependencies;
  const { workspaceId } = starter;
  const { conversationId, input } = submission;
  await checkTurnInput(dependencies, starter, input);
  const requestHash = toRequestHash(conversationId, input);
  const startedBy = toActorRef(starter, input.actingFor);
  await claimConversation(database, starter, { conversationId, message: input.message });
  const turn = { ...submission, requestHash, startedBy, actsFor: starter.actsFor ?? null };
  const { stored, interruption } = interruptsTurn(input)
    ? await storeBusyTurn(database, workspaceId, turn)
    : { stored: await storeNewTurn(database, workspaceId, turn), interruption: null };
  // Repeated submissions notify as well: the process of the first one may have died before it did.
  notifier.events(conversationId);
  if (interruption) await notifyInterrupted(dependencies, interruption);
  return stored;
}

/**
 * Checks that only a message that steers may not wait, and that answers can be checked with the response schema of a turn,
 * when it has one.
 * @throws HoldfastError `INVALID_INPUT`
 */
async function checkTurnInput(
  { checksOf }: Pick<TurnDependencies, 'checksOf'>,
  { workspaceId }: TurnPrincipal,
  { onBusy, now = false, responseSchema }: Pick<TurnInput, 'onBusy' | 'now' | 'responseSchema'>,
): Promise<void> {
  if (now && onBusy !== 'steer') {
    throw createInvalidInput([{ field: 'now', message: 'expected with "onBusy": "steer" only' }]);
  }
  if (!responseSchema) return;
  const message = await checksOf(workspaceId).findSchemaProblem(responseSchema);
  if (message !== null) throw createInvalidInput([{ field: 'responseSchema', message }]);
}
