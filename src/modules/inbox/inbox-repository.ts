import type { Knex } from 'knex';
import type { InboxMessage, MessageSender } from '../../domain/inbox.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { toPage, type Page, type PageRequest } from '../../platform/database/page.ts';

interface InboxRow {
  id: string;
  person: string;
  subject: string | null;
  text: string;
  sender: MessageSender;
  created_at: Date;
  read_at: Date | null;
}

/** Which messages are listed. */
interface InboxFilter extends PageRequest {
  person: string;
  /** Only unread messages. @default false */
  unread?: boolean | undefined;
}

/** The inboxes of one workspace. */
export function createInboxRepository(trx: Knex) {
  return {
    /** Newest first. */
    listMessages: async ({
      person,
      unread = false,
      cursor,
      limit,
    }: InboxFilter): Promise<Page<InboxMessage>> => {
      const query = trx<InboxRow>('inbox_messages').where({ person }).orderBy('id', 'desc');
      if (unread) void query.whereNull('read_at');
      if (cursor) void query.where('id', '<', cursor);
      return toPage(await query.limit(limit + 1), limit, toInboxMessage);
    },

    /** @throws HoldfastError `NOT_FOUND`, also for a message to another person than `person` */
    getMessage: async (id: string, person: string | null): Promise<InboxMessage> => {
      const row = await trx<InboxRow>('inbox_messages').where({ id }).first();
      if (!row || (person !== null && row.person !== person)) throw messageNotFound(id);
      return toInboxMessage(row);
    },

    /** Marks a message as read or unread. @throws HoldfastError `NOT_FOUND` */
    setRead: async (id: string, isRead: boolean): Promise<InboxMessage> => {
      const [row] = await trx('inbox_messages')
        .where({ id })
        .update({ read_at: isRead ? trx.raw('coalesce(read_at, now())') : null })
        .returning<InboxRow[]>('*');
      if (!row) throw messageNotFound(id);
      return toInboxMessage(row);
    },
  };
}

function toInboxMessage(row: InboxRow): InboxMessage {
  return {
    id: row.id,
    person: row.person,
    subject: row.subject,
    text: row.text,
    from: row.sender,
    createdAt: row.created_at.toISOString(),
    readAt: row.read_at?.toISOString() ?? null,
  };
}

function messageNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no message ${id} in this inbox.`);
}
