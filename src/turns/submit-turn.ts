import { storeNewTurn, type StoredTurn } from '../db/turns/store-turn.ts';
import type { Turn, TurnInput } from '../domain/turn.ts';
import { newId, toTurnId } from '../lib/ids.ts';
import { toRequestHash } from '../lib/request-hash.ts';
import { startStoredTurn } from './start-stored-turn.ts';
import type { TurnDependencies, TurnPrincipal } from './turn-dependencies.ts';

/** A message to an agent, and the id of the turn that it starts. */
export interface TurnSubmission {
  turnId: string;
  conversationId: string;
  input: TurnInput;
}

/** The id of a turn: the same for every submission under one idempotency key, and a new one without a key. */
export function chooseTurnId({ workspaceId }: TurnPrincipal, idempotencyKey: string | undefined): string {
  return idempotencyKey === undefined ? newId() : toTurnId(workspaceId, idempotencyKey);
}

/**
 * Stores a turn and starts it. A stored turn is not lost when its start fails: the sweeper starts it.
 * @throws HoldfastError `NOT_FOUND`, `CONFLICT`, `TURN_RUNNING` or `IDEMPOTENCY_KEY_REUSED`
 */
export async function submitTurn(
  dependencies: TurnDependencies,
  principal: TurnPrincipal,
  submission: TurnSubmission,
): Promise<{ accepted: boolean; turn: Turn }> {
  const { accepted, turn, start } = await storeTurn(dependencies, principal, submission);
  if (start) await startStoredTurn(dependencies, start);
  return { accepted, turn };
}

/**
 * Stores a turn, and answers the input of its workflow for callers that start it by themselves. A turn that is stored
 * already is found again.
 * @throws HoldfastError `NOT_FOUND`, `CONFLICT`, `TURN_RUNNING` or `IDEMPOTENCY_KEY_REUSED`
 */
export async function storeTurn(
  { database, notifier }: Pick<TurnDependencies, 'database' | 'notifier'>,
  { workspaceId }: TurnPrincipal,
  submission: TurnSubmission,
): Promise<StoredTurn> {
  const { conversationId, input } = submission;
  const requestHash = toRequestHash(conversationId, input);
  const stored = await storeNewTurn(database, workspaceId, { ...submission, requestHash });
  // Repeated submissions notify as well: the process of the first one may have died before it did.
  notifier.events(conversationId);
  return stored;
}
