import type { Knex } from 'knex';
import type { ConversationEvent, EventPayload, EventType } from '../../../domain/event.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';

interface EventRow {
  seq: number;
  turn_id: string;
  type: EventType;
  payload: EventPayload<EventType>;
  created_at: Date;
}

/** The event log of a conversation, or with a turn the events of that turn alone. */
export interface EventSource {
  conversationId: string;
  turnId?: string | undefined;
}

/** A part of an event log. */
export interface EventQuery extends EventSource {
  afterSeq: number;
  limit: number;
}

/** How far an event log reaches. */
export interface EventLogEnd {
  /** The number of the conversation's last event; 0 when there is none. */
  lastSeq: number;
  /** The number of the event that ended the turn; null without a turn, and while the turn has not ended. */
  settledSeq: number | null;
}

/** The event logs of one workspace's conversations. The SQL function `append_events` writes them, and `insert_turn` the first event of a turn. */
export function createEventRepository(query: Query) {
  return {
    /** In the order of their numbers. */
    listEvents: async ({ turnId, ...part }: EventQuery): Promise<ConversationEvent[]> => {
      const rows =
        turnId === undefined
          ? await query(listConversationEvents, part)
          : await query(listTurnEvents, { ...part, turnId });
      return rows.map(toEvent);
    },

    /** Null when there is no such conversation. */
    findLogEnd: async ({ conversationId, turnId }: EventSource): Promise<EventLogEnd | null> => {
      const [row] = await query(findLogEnd, { conversationId, turnId: turnId ?? null });
      return row ?? null;
    },
  };
}

/** Reads the number of the last event of conversations of all workspaces; needs the system database. */
export async function listLastSeqs(
  system: Knex,
  conversationIds: string[],
): Promise<{ id: string; lastSeq: number }[]> {
  return system('conversations')
    .whereIn('id', conversationIds)
    .where({ deleted_at: null })
    .select('id', 'last_event_seq as lastSeq');
}

const listConversationEvents = defineStatement<
  { conversationId: string; afterSeq: number; limit: number },
  EventRow
>(
  'list_conversation_events',
  `SELECT * FROM events WHERE conversation_id = :conversationId AND seq > :afterSeq ORDER BY seq LIMIT :limit`,
);

const listTurnEvents = defineStatement<
  { conversationId: string; turnId: string; afterSeq: number; limit: number },
  EventRow
>(
  'list_turn_events',
  `SELECT * FROM events WHERE turn_id = :turnId AND conversation_id = :conversationId AND seq > :afterSeq
   ORDER BY seq LIMIT :limit`,
);

const findLogEnd = defineStatement<{ conversationId: string; turnId: string | null }, EventLogEnd>(
  'find_event_log_end',
  `SELECT last_event_seq AS "lastSeq", (SELECT seq FROM events
     WHERE turn_id = :turnId::uuid AND type = 'turn.settled' LIMIT 1) AS "settledSeq"
   FROM conversations WHERE id = :conversationId AND deleted_at IS NULL`,
);

function toEvent({
  seq,
  turn_id: turnId,
  type,
  payload,
  created_at: createdAt,
}: EventRow): ConversationEvent {
  return { seq, turnId, type, createdAt: createdAt.toISOString(), payload } as ConversationEvent;
}
