import type { NewEvent } from '../../../domain/event.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { ContextPart } from '../../../domain/message-part.ts';
import { toStorableJson } from '../../../domain/storable.ts';
import type { Turn } from '../../../domain/turn.ts';
import { noUsage } from '../../../domain/usage.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import { notifyOfEnd, insertedDeliveries } from '../../../platform/outbox/notify-webhooks.ts';
import { partsWithFiles } from '../../files/message-files.ts';
import { lockTurnRow, toTurn, type TurnRow } from '../turn-rows.ts';
import { askedBy } from '../../credits/turn-origin.ts';
import { isFreeToTake, isSteered, takesMessages } from '../turn-state.ts';

/** The running or waiting turn of a conversation, which a message may interrupt. */
export interface OpenTurn {
  id: string;
  ordinal: number;
  /** The person for whom it acts; null for none. */
  person: string | null;
}

/** Returns whether a turn takes messages that are sent for a person, or for none; statements ask {@link isFreeToTake}. */
export function takesMessagesOf({ person: own }: Pick<OpenTurn, 'person'>, person: string | null): boolean {
  return person === null || person === own;
}

/** A message that a running turn has taken for its next model call. */
export interface TakenMessage {
  /** The turn that the message was to start. It ends when the answer of the model call is stored. */
  turnId: string;
  messageId: string;
  text: string;
  parts: ContextPart[] | null;
  responseSchema: JsonObject | null;
}

/** An action that was cancelled, and the turn that waits for it. */
export interface CancelledAction {
  id: string;
  turnId: string;
}

/**
 * Messages that reach a turn while it runs. Rows are locked in one order, so that no two transactions wait for each
 * other: turns by ordinal, then tool calls, then actions by id, then the conversation.
 */
export function createSteeringRepository(query: Query) {
  return {
    /** The turn that runs or waits in a conversation; it does not change until the transaction ends. */
    lockOpenTurn: async (conversationId: string): Promise<OpenTurn | null> => {
      const [row] = await query(lockOpenTurn, { conversationId });
      return row ?? null;
    },

    /** As `lockOpenTurn`, without the lock. */
    findOpenTurn: async (conversationId: string): Promise<OpenTurn | null> => {
      const [row] = await query(findOpenTurn, { conversationId });
      return row ?? null;
    },

    /** The conversation of a user's message. */
    findConversation: async (messageId: string): Promise<string | null> => {
      const [row] = await query(findConversation, { messageId });
      return row?.id ?? null;
    },

    /** The turn that has a message, or is to start with it; it does not change until the transaction ends. */
    lockTurnOfMessage: async (messageId: string): Promise<Turn | null> => {
      const [row] = await query(lockTurnOfMessage, { messageId });
      return row ? toTurn(row) : null;
    },

    /**
     * Ends what a turn and the turns below it wait for, since a message of the user came before the decision. Calls that
     * the program of the client runs are running calls: they continue.
     */
    cancelActions: (turnId: string): Promise<CancelledAction[]> => query(cancelActions, { turnId }),

    /** Whether a turn waits for people while there is a message that steers the top turn. */
    isSteered: async (turnId: string): Promise<boolean> => (await query(findSteered, { turnId })).length > 0,

    /** Whether a message waits that a running turn is to take, and which no attempt of its next model call has seen. */
    isAwaited: async (turnId: string): Promise<boolean> => (await query(findAwaited, { turnId })).length > 0,

    /** Lets a queued turn give its message to the turn that runs. */
    steer: async (turnId: string): Promise<Turn> => {
      const [row] = await query(steerTurn, { turnId });
      if (!row) throw new Error(`turn ${turnId} is not queued`);
      return toTurn(row);
    },

    /**
     * Takes the messages that steer a running turn for its next model call, unless the turn is to stop. Returns those that
     * it has taken since its last answer. Their own turns stay queued until `endTaken`.
     */
    take: async (turnId: string): Promise<TakenMessage[]> => {
      await query(takeMessages, { turnId });
      return query(listTaken, { turnId });
    },

    /** The messages that a running turn has taken since its last answer. */
    listTaken: (turnId: string): Promise<TakenMessage[]> => query(listTaken, { turnId }),

    /** Keeps a turn, and those whose messages it has taken since its last answer, from changing until the transaction ends. */
    lockTaken: async (turnId: string): Promise<void> => {
      await query(lockTurnRow, { turnId });
      await query(lockTaken, { turnId });
    },

    /** Whether the turn that runs has taken the message of a queued turn. */
    isTaken: async (turnId: string): Promise<boolean> => (await query(findTaker, { turnId })).length > 0,

    /** Ends the turns whose messages a turn has taken, after the answer to them was stored for an iteration. */
    endTaken: async (turnId: string, iteration: number): Promise<void> => {
      const rows = await query(endTaken, { turnId, iteration });
      for (const { conversationId, id } of rows)
        await append(query, { conversationId, turnId: id, events: [endOfSteered] });
    },

    /** Ends a queued turn whose message the model shall not see. */
    withdraw: async (turn: Turn & { messageId: string }): Promise<Turn> => {
      const { id, conversationId, messageId } = turn;
      const [row] = await query(withdrawTurn, { turnId: id, answer: withdrawnAnswer });
      if (!row) throw new Error(`turn ${id} is not queued`);
      await query(hideTurn, { turnId: id });
      const events: NewEvent[] = [
        { type: 'message.withdrawn', payload: { messageId } },
        { type: 'turn.settled', payload: toSettled('cancelled', withdrawnAnswer, turn) },
      ];
      await append(query, { conversationId, turnId: id, events });
      return toTurn(row);
    },
  };
}

export type SteeringRepository = ReturnType<typeof createSteeringRepository>;

const withdrawnAnswer = 'The message was withdrawn before it was read.';
const steeredAnswer = 'The turn that was running took the message.';

const findOpenTurn = defineStatement<{ conversationId: string }, OpenTurn>(
  'find_running_turn',
  `SELECT id, ordinal, ${askedBy('turns')} AS person FROM turns
   WHERE conversation_id = :conversationId AND status IN ('running', 'waiting_for_approval')`,
);

const lockOpenTurn = defineStatement<{ conversationId: string }, OpenTurn>(
  'lock_running_turn',
  `SELECT id, ordinal, ${askedBy('turns')} AS person FROM turns
   WHERE conversation_id = :conversationId AND status IN ('running', 'waiting_for_approval') FOR NO KEY UPDATE`,
);

const findConversation = defineStatement<{ messageId: string }, { id: string }>(
  'find_conversation_of_message',
  `SELECT m.conversation_id AS id FROM messages m JOIN conversations c ON c.id = m.conversation_id
   WHERE m.id = :messageId AND m.role = 'user' AND c.deleted_at IS NULL`,
);

const lockTurnOfMessage = defineStatement<{ messageId: string }, TurnRow>(
  'lock_turn_of_message',
  `SELECT t.* FROM messages m JOIN turns t ON t.id = m.turn_id WHERE m.id = :messageId AND m.role = 'user' FOR UPDATE OF t`,
);

const findSteered = defineStatement<{ turnId: string }, { id: string }>(
  'find_steered_actions',
  `SELECT a.id FROM pending_actions a JOIN turns top ON top.id = a.root_turn_id
   WHERE (a.turn_id = :turnId OR a.root_turn_id = :turnId) AND a.status = 'pending' AND a.kind <> 'client_tool'
     AND EXISTS (SELECT FROM turns q WHERE q.conversation_id = top.conversation_id AND ${isFreeToTake('q', 'top')})
   LIMIT 1`,
);

const findAwaited = defineStatement<{ turnId: string }, { id: string }>(
  'find_message_for_turn',
  `SELECT t.id FROM turns t WHERE t.id = :turnId AND t.status = 'running' AND ${isSteered('t')}`,
);

const cancelActions = defineStatement<{ turnId: string }, CancelledAction>(
  'cancel_actions',
  `WITH locked AS (
  SELECT id FROM pending_actions
  WHERE (turn_id = :turnId OR root_turn_id = :turnId) AND status = 'pending' AND kind <> 'client_tool'
  ORDER BY id FOR UPDATE
), cancelled AS (
  UPDATE pending_actions a SET status = 'cancelled', decided_at = now()
  FROM locked WHERE a.id = locked.id AND a.status = 'pending'
  RETURNING a.id, a.turn_id, a.conversation_id, a.kind
), logged AS (
  SELECT append_events(conversation_id, turn_id, jsonb_agg(jsonb_build_object('type', 'action.cancelled',
    'payload', jsonb_build_object('actionId', id, 'kind', kind)) ORDER BY id), 0)
  FROM cancelled GROUP BY conversation_id, turn_id
)
SELECT DISTINCT cancelled.id, cancelled.turn_id AS "turnId" FROM cancelled, logged ORDER BY id`,
);

const steerTurn = defineStatement<{ turnId: string }, TurnRow>(
  'steer_turn',
  `UPDATE turns SET steers = true WHERE id = :turnId AND status = 'queued' RETURNING *`,
);

const takeMessages = defineStatement<{ turnId: string }, unknown>(
  'take_steering_messages',
  `WITH target AS (
  SELECT id, conversation_id, asked_by, started_by FROM turns t
  WHERE t.id = :turnId AND t.status = 'running' AND ${takesMessages('t')} FOR NO KEY UPDATE
), taken AS (
  UPDATE turns q SET taken_by = target.id FROM target
  WHERE q.conversation_id = target.conversation_id AND ${isFreeToTake('q', 'target')} AND q.taken_by IS DISTINCT FROM target.id
  RETURNING q.id
)
UPDATE turns t SET steered = t.steered + (SELECT count(*) FROM taken) FROM target
WHERE t.id = target.id AND EXISTS (SELECT FROM taken)`,
);

/** An expression: whether a queued turn gave its message to the turn that runs, which has not answered it. */
const isTaken = `q.status = 'queued' AND q.taken_by = :turnId::uuid`;

const listTaken = defineStatement<{ turnId: string }, TakenMessage>(
  'list_taken_messages',
  `SELECT q.id AS "turnId", m.id AS "messageId", m.text, ${partsWithFiles('m.parts')} AS parts,
     q.response_schema AS "responseSchema"
   FROM turns t JOIN turns q ON q.conversation_id = t.conversation_id AND ${isTaken}
   JOIN messages m ON m.conversation_id = q.conversation_id AND m.turn_ordinal = q.ordinal
   WHERE t.id = :turnId ORDER BY q.ordinal`,
);

const lockTaken = defineStatement<{ turnId: string }, unknown>(
  'lock_taken_messages',
  `SELECT FROM turns t JOIN turns q ON q.conversation_id = t.conversation_id AND ${isTaken}
   WHERE t.id = :turnId ORDER BY q.ordinal FOR NO KEY UPDATE OF q`,
);

const findTaker = defineStatement<{ turnId: string }, { id: string }>(
  'find_taker_of_message',
  `SELECT t.id FROM turns q JOIN turns t ON t.id = q.taken_by AND t.status = 'running'
   WHERE q.id = :turnId AND q.status = 'queued'`,
);

/**
 * The messages keep the order in which they were sent, by the ordinals of the turns that they were to start. The newest of
 * them that has a schema sets that of the turn.
 */
const endTaken = defineStatement<
  { turnId: string; iteration: number },
  { id: string; conversationId: string }
>(
  'end_taken_messages',
  `WITH target AS (
  SELECT id, conversation_id, ordinal FROM turns WHERE id = :turnId
), taken AS (
  UPDATE turns q SET status = 'steered', steered_into = target.id, answer = '${steeredAnswer}', settled_at = now()
  FROM target WHERE q.conversation_id = target.conversation_id AND ${isTaken}
  RETURNING q.id, q.ordinal, q.conversation_id, q.agent_id, q.parent_turn_id, q.recorded_from, q.status,
    q.response_schema
), shaped AS (
  UPDATE turns t SET response_schema = (
    SELECT response_schema FROM taken WHERE response_schema IS NOT NULL ORDER BY ordinal DESC LIMIT 1)
  FROM target WHERE t.id = target.id AND EXISTS (SELECT FROM taken WHERE response_schema IS NOT NULL)
), moved AS (
  UPDATE messages m SET turn_id = target.id, turn_ordinal = target.ordinal, iteration = :iteration - 1,
    steered_ordinal = taken.ordinal
  FROM taken, target WHERE m.conversation_id = taken.conversation_id AND m.turn_ordinal = taken.ordinal
), uses AS (
  INSERT INTO file_uses (turn_id, file_id) SELECT target.id, u.file_id FROM target, taken JOIN file_uses u ON u.turn_id = taken.id
  ON CONFLICT DO NOTHING
), ${notifyOfEnd({ name: 'taken' })}
SELECT ${insertedDeliveries}, id, conversation_id AS "conversationId" FROM taken ORDER BY ordinal`,
);

const endOfSteered: NewEvent = {
  type: 'turn.settled',
  payload: toSettled('steered', steeredAnswer, { iterations: 0, usage: noUsage }),
};

function toSettled(
  outcome: 'steered' | 'cancelled',
  answer: string,
  { iterations, usage }: Pick<Turn, 'iterations' | 'usage'>,
) {
  return { outcome, answer, error: null, iterations, usage };
}

const withdrawTurn = defineStatement<{ turnId: string; answer: string }, TurnRow>(
  'withdraw_turn',
  `WITH turn AS (
     UPDATE turns SET status = 'cancelled', answer = :answer, rolled_back = true, settled_at = now()
     WHERE id = :turnId AND status = 'queued' RETURNING *
   ), ${notifyOfEnd()}
   SELECT turn.*, ${insertedDeliveries} FROM turn`,
);

/** The characters of a turn that the model does not see are not counted for its context. */
const hideTurn = defineStatement<{ turnId: string }, unknown>(
  'hide_turn',
  `UPDATE conversations c SET hidden_ordinals = c.hidden_ordinals || t.ordinal,
     characters = c.characters - (SELECT coalesce(sum(length(m.text)), 0) FROM messages m
       WHERE m.conversation_id = t.conversation_id AND m.turn_ordinal = t.ordinal)
   FROM turns t WHERE t.id = :turnId AND c.id = t.conversation_id AND t.ordinal <> ALL (c.hidden_ordinals)`,
);

const appendEvents = defineStatement<{ conversationId: string; turnId: string; events: string }, unknown>(
  'append_events',
  'SELECT append_events(:conversationId, :turnId, :events::jsonb, 0)',
);

async function append(
  query: Query,
  { conversationId, turnId, events }: { conversationId: string; turnId: string; events: NewEvent[] },
): Promise<void> {
  await query(appendEvents, { conversationId, turnId, events: toStorableJson(events) });
}
