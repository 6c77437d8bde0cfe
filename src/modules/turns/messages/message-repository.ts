import type { Knex } from 'knex';
import type { MessagePart } from '../../../domain/message-part.ts';
import type { Message } from '../../../domain/conversation.ts';
import { toBoundedPage, withinBytes, type Page, type PageRequest } from '../../../platform/database/page.ts';

interface MessageRow {
  id: string;
  turn_id: string;
  turn_ordinal: number;
  iteration: number;
  hidden: boolean;
  role: Message['role'];
  text: string;
  parts: MessagePart[] | null;
  reasoning: string | null;
  created_at: Date;
}

/** Messages of one workspace's conversations. */
export function createMessageRepository(trx: Knex) {
  return {
    /** Oldest first. */
    listMessages: async (page: PageRequest & { conversationId: string }): Promise<Page<Message>> => {
      const query = trx('messages')
        .where({ conversation_id: page.conversationId })
        .orderBy(['turn_ordinal', 'iteration', 'steered_ordinal']);
      if (page.cursor) {
        const last = trx('messages')
          .where({ id: page.cursor })
          .select(trx.raw('turn_ordinal, iteration, steered_ordinal'));
        void query.whereRaw('(turn_ordinal, iteration, steered_ordinal) > (?)', [last]);
      }
      void query
        .select(
          'id',
          'turn_id',
          'turn_ordinal',
          'iteration',
          'steered_ordinal',
          'role',
          'text',
          'parts',
          'reasoning',
        )
        .select(
          'created_at',
          trx.raw(
            "octet_length(text) + octet_length(coalesce(reasoning, '')) + coalesce(octet_length(parts::text), 0) AS row_bytes",
          ),
        )
        .select(
          trx.raw(
            "role <> 'summary' AND turn_ordinal = ANY (SELECT unnest(hidden_ordinals) FROM conversations c WHERE c.id = ?) AS hidden",
            [page.conversationId],
          ),
        )
        .limit(page.limit + 1);
      const rows = await withinBytes<MessageRow>(trx, query, 'turn_ordinal, iteration, steered_ordinal');
      return toBoundedPage(rows, page.limit, toMessage);
    },
  };
}

function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    turnId: row.turn_id,
    role: row.role,
    text: row.text,
    parts: row.parts,
    reasoning: row.reasoning,
    // A summary stands before the messages of its turn.
    iteration: Math.max(0, row.iteration),
    hidden: row.hidden,
    createdAt: row.created_at.toISOString(),
  };
}
