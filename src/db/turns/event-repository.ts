import type { Knex } from 'knex';
import type { ConversationEvent, EventPayload, EventType } from '../../domain/event.ts';

interface EventRow {
  seq: number;
  turn_id: string;
  type: EventType;
  payload: EventPayload<EventType>;
  created_at: Date;
}

/** What part of a conversation's event log is asked for; with a turn, only the events of that turn. */
export interface EventQuery {
  conversationId: string;
  turnId?: string | undefined;
  afterSeq: number;
  limit: number;
}

/** The event logs of one workspace's conversations. Events are appended by the SQL function `append_events`. */
export function createEventRepository(trx: Knex) {
  return {
    /** In the order of their numbers. */
    listEvents: async (query: EventQuery): Promise<ConversationEvent[]> => {
      const rows = trx('events')
        .where({ conversation_id: query.conversationId })
        .where('seq', '>', query.afterSeq)
        .orderBy('seq')
        .limit(query.limit);
      if (query.turnId !== undefined) void rows.where({ turn_id: query.turnId });
      return (await rows.select<EventRow[]>('*')).map(toEvent);
    },

    /** The number of the event that ended a turn, or null while the turn is not over. */
    findSettledSeq: async (turnId: string): Promise<number | null> => {
      const row = await trx<EventRow>('events').where({ turn_id: turnId, type: 'turn.settled' }).first('seq');
      return row?.seq ?? null;
    },
  };
}

function toEvent(row: EventRow): ConversationEvent {
  const { seq, type, payload } = row;
  return {
    seq,
    turnId: row.turn_id,
    type,
    createdAt: row.created_at.toISOString(),
    payload,
  } as ConversationEvent;
}
