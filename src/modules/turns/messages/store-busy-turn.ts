import { refuseOtherPerson } from '../../../domain/authorize.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { Query } from '../../../platform/database/statement.ts';
import type { Transactions } from '../../../platform/database/transactions.ts';
import { requestCancelOfTree } from '../request-cancel.ts';
import { rollBackTurn } from './roll-back-turn.ts';
import {
  createSteeringRepository,
  takesMessagesOf,
  type CancelledAction,
  type OpenTurn,
} from './steering-repository.ts';
import { findRepeated, insertTurn, lockConversation, type NewTurn, type StoredTurn } from '../store-turn.ts';
import { findTurnRow } from '../turn-rows.ts';

/** The effect of a message on the turn that runs. */
export interface TurnInterruption {
  /** The turn whose workflow is to stop; null when none is. */
  cancelled: string | null;
  /** The turns whose running steps are to stop. */
  stopping: string[];
  /** The cancelled actions, which need no decision any more. */
  actions: CancelledAction[];
  /** The turn whose model call is to end, so that the next one sees the message; null when none is. */
  steeredNow: string | null;
}

/** A turn that is stored, with its effect on the turn that runs. */
interface StoredBusyTurn {
  stored: StoredTurn;
  interruption: TurnInterruption;
}

const none: TurnInterruption = { cancelled: null, stopping: [], actions: [], steeredNow: null };

/** How often the turn that runs may change while a message is stored. */
const maximumAttempts = 10;

/** Returns whether a message says what is to happen to the turn that runs. */
export function interruptsTurn({ onBusy, expectedTurnId }: NewTurn['input']): boolean {
  return (onBusy !== 'reject' && onBusy !== 'enqueue') || expectedTurnId !== undefined;
}

/**
 * Stores a turn, and in the same transaction what its message does to the turn that runs: `steer` ends what that turn
 * waits for, `interrupt` and `rollback` ask it to stop.
 * @throws HoldfastError as `storeNewTurn`; `TURN_MISMATCH`, `ROLLBACK_REFUSED`
 */
export async function storeBusyTurn(
  { transact }: Pick<Transactions, 'transact'>,
  workspaceId: string,
  turn: NewTurn,
): Promise<StoredBusyTurn> {
  for (let attempt = 1; attempt <= maximumAttempts; attempt++) {
    const stored = await transact(workspaceId, (query) => storeOnce(query, turn));
    if (stored) return stored;
  }
  throw new HoldfastError('CONFLICT', 'Turns of this conversation end too fast. Send the message again.');
}

/** Null when another turn began to run before the conversation was locked. */
async function storeOnce(query: Query, turn: NewTurn): Promise<StoredBusyTurn | null> {
  const { turnId, conversationId, input } = turn;
  const steering = createSteeringRepository(query);
  const [repeated] = await query(findTurnRow, { turnId });
  if (repeated) return { stored: await findRepeated(query, turn), interruption: none };
  const open = await steering.lockOpenTurn(conversationId);
  refuseOther(open, input);
  const interruption = open ? await interruptTurn(query, open, turn) : none;
  await query(lockConversation, { conversationId });
  const now = await steering.findOpenTurn(conversationId);
  if (now?.id !== open?.id) {
    if (open) throw new Error('a locked turn has ended');
    return null;
  }
  const stored = (await insertTurn(query, turn)) ?? (await findRepeated(query, turn));
  return { stored, interruption };
}

function refuseOther(open: OpenTurn | null, { expectedTurnId }: NewTurn['input']): void {
  if (expectedTurnId === undefined || open?.id === expectedTurnId) return;
  const found = open ? `the turn ${open.id} runs` : 'no turn runs';
  throw new HoldfastError(
    'TURN_MISMATCH',
    `The message is for the turn ${expectedTurnId}, but ${found} in this conversation.`,
    {
      details: { turnId: open?.id ?? null },
    },
  );
}

async function interruptTurn(
  query: Query,
  open: OpenTurn,
  { input: { onBusy, now = false, confirmRollback = false }, actsFor = null, startedBy }: NewTurn,
): Promise<TurnInterruption> {
  if (onBusy === 'interrupt' || onBusy === 'rollback') refuseOtherPerson({ actsFor }, open.person);
  switch (onBusy) {
    case 'steer': {
      if (!takesMessagesOf(open, startedBy?.actingFor ?? null)) return none;
      const actions = await createSteeringRepository(query).cancelActions(open.id);
      return { ...none, actions, steeredNow: now ? open.id : null };
    }
    case 'interrupt':
      return { ...none, cancelled: open.id, stopping: await requestCancelOfTree(query, { id: open.id }) };
    case 'rollback': {
      const stopping = await rollBackTurn(query, open, { isConfirmed: confirmRollback });
      return { ...none, cancelled: open.id, stopping };
    }
    default:
      return none;
  }
}
