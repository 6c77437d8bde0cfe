import type { NewEvent } from '../../domain/event.ts';
import { toStorableJson } from '../../domain/storable.ts';
import { toPreview } from '../../domain/text.ts';
import type { Turn } from '../../domain/turn.ts';
import { noUsage } from '../../domain/usage.ts';
import { defineStatement, type Query } from '../statement.ts';
import { tellOfEnd, toldDeliveries } from '../webhooks/tell-webhooks.ts';
import { findTurnRow, toTurn, type TurnRow } from './turn-rows.ts';

/** A turn of which a message takes what it waits for. */
export interface OpenTurn {
  id: string;
  ordinal: number;
}

/** A message that a turn has taken. */
export interface TakenMessage {
  /** The turn that the message was to start; it is over. */
  turnId: string;
  messageId: string;
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
     * the program of the client runs are running calls: they go on.
     */
    cancelActions: (turnId: string): Promise<CancelledAction[]> => query(cancelActions, { turnId }),

    /** Whether a turn waits for people while there is a message that steers the top turn. */
    isSteered: async (turnId: string): Promise<boolean> => (await query(findSteered, { turnId })).length > 0,

    /** Lets a queued turn give its message to the turn that runs. */
    steer: async (turnId: string): Promise<Turn> => {
      const [row] = await query(steerTurn, { turnId });
      if (!row) throw new Error(`turn ${turnId} is not queued`);
      return toTurn(row);
    },

    /**
     * Gives a running turn the messages that steer it, after the results of an iteration. Their own turns are over.
     * Answers how many messages the turn has taken so far, too.
     */
    take: async (turnId: string, iteration: number): Promise<{ taken: TakenMessage[]; steered: number }> => {
      const rows = await query(takeMessages, { turnId, iteration });
      for (const row of rows) {
        await append(query, { ...row, turnId, events: [toSteeredEvent(row, iteration)] });
        await append(query, { ...row, turnId: row.steeredTurnId, events: [endOfSteered] });
      }
      const [turn] = await query(findTurnRow, { turnId });
      const taken = rows.map(({ steeredTurnId, messageId }) => ({ turnId: steeredTurnId, messageId }));
      return { taken, steered: turn?.steered ?? 0 };
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
  `SELECT id, ordinal FROM turns WHERE conversation_id = :conversationId AND status IN ('running', 'waiting_for_approval')`,
);

const lockOpenTurn = defineStatement<{ conversationId: string }, OpenTurn>(
  'lock_running_turn',
  `SELECT id, ordinal FROM turns WHERE conversation_id = :conversationId AND status IN ('running', 'waiting_for_approval')
   FOR NO KEY UPDATE`,
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
     AND EXISTS (SELECT FROM turns q WHERE q.conversation_id = top.conversation_id AND q.status = 'queued' AND q.steers)
   LIMIT 1`,
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

interface TakenRow {
  steeredTurnId: string;
  conversationId: string;
  messageId: string;
  message: string;
}

/**
 * The messages keep the order in which they were sent, by the ordinals of the turns that they were to start. The newest of
 * them that has a schema sets that of the turn.
 */
const takeMessages = defineStatement<{ turnId: string; iteration: number }, TakenRow>(
  'take_steering_messages',
  `WITH target AS (
  SELECT id, conversation_id, ordinal FROM turns
  WHERE id = :turnId AND status = 'running' AND NOT rolled_back FOR UPDATE
), taken AS (
  UPDATE turns q SET status = 'steered', steered_into = target.id, answer = '${steeredAnswer}', settled_at = now()
  FROM target WHERE q.conversation_id = target.conversation_id AND q.status = 'queued' AND q.steers
  RETURNING q.id, q.ordinal, q.conversation_id, q.agent_id, q.parent_turn_id, q.recorded_from, q.status,
    q.response_schema
), counted AS (
  UPDATE turns t SET steered = t.steered + (SELECT count(*) FROM taken), response_schema = coalesce((
    SELECT response_schema FROM taken WHERE response_schema IS NOT NULL ORDER BY ordinal DESC LIMIT 1), t.response_schema)
  FROM target WHERE t.id = target.id
), moved AS (
  UPDATE messages m SET turn_id = target.id, turn_ordinal = target.ordinal, iteration = :iteration - 1,
    steered_ordinal = taken.ordinal
  FROM taken, target WHERE m.conversation_id = taken.conversation_id AND m.turn_ordinal = taken.ordinal
  RETURNING m.id, left(m.text, 2000) AS text, taken.id AS taken_id, taken.ordinal
), uses AS (
  INSERT INTO file_uses (turn_id, file_id) SELECT target.id, u.file_id FROM target, taken JOIN file_uses u ON u.turn_id = taken.id
  ON CONFLICT DO NOTHING
), ${tellOfEnd({ name: 'taken' })}
SELECT ${toldDeliveries}, taken_id AS "steeredTurnId", (SELECT conversation_id FROM target) AS "conversationId", id AS "messageId",
  text AS message FROM moved ORDER BY ordinal`,
);

function toSteeredEvent({ messageId, message, steeredTurnId }: TakenRow, iteration: number): NewEvent {
  const payload = { messageId, message: toPreview(message), iteration, steeredTurnId };
  return { type: 'message.steered', payload };
}

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
   ), ${tellOfEnd()}
   SELECT turn.*, ${toldDeliveries} FROM turn`,
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
