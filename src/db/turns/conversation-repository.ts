import type { Knex } from 'knex';
import type { Conversation, ConversationChange, ConversationInput } from '../../domain/conversation.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { unsettledStatuses } from '../../domain/turn-status.ts';
import { newId } from '../../lib/ids.ts';
import { toPage, type Page, type PageRequest } from '../page.ts';
import { toConversation, type ConversationRow } from './conversation-rows.ts';
import { conversationNotFound } from './turn-rows.ts';

/** Selects conversations of a list. */
interface ConversationFilter {
  agentId?: string | undefined;
  tag?: string | undefined;
  /** Only forks of this conversation. */
  parentId?: string | undefined;
}

/** Conversations of one workspace. */
export function createConversationRepository(trx: Knex) {
  return {
    /** @throws HoldfastError `NOT_FOUND` when the agent is not there or deleted */
    createConversation: async ({ agentId, title, tags }: ConversationInput): Promise<Conversation> => {
      // Locked, so that the agent cannot be deleted between this look and the insert.
      const agent = await trx<{ id: string; deleted_at: Date | null }>('agents')
        .where({ id: agentId, deleted_at: null })
        .forShare()
        .first('id');
      if (!agent) throw new HoldfastError('NOT_FOUND', `There is no agent ${agentId}.`, missingAgent);
      const [row] = await trx('conversations')
        .insert({ id: newId(), agent_id: agentId, title: title ?? null, tags: tags ?? [] })
        .returning<ConversationRow[]>('*');
      if (!row) throw new Error('an inserted conversation did not come back');
      return toConversation(row);
    },

    /** @throws HoldfastError `NOT_FOUND` */
    getConversation: async (id: string): Promise<Conversation & { lastEventSeq: number }> => {
      const row = await trx<ConversationRow>('conversations').where({ id, deleted_at: null }).first();
      if (!row) throw conversationNotFound(id);
      return { ...toConversation(row), lastEventSeq: row.last_event_seq };
    },

    /**
     * Replaces the title, the tags or both.
     * @throws HoldfastError `NOT_FOUND`
     */
    changeConversation: async (id: string, { title, tags }: ConversationChange): Promise<Conversation> => {
      const [row] = await trx('conversations')
        .where({ id, deleted_at: null })
        .update({
          // Without a change the row is still answered.
          id,
          ...(title === undefined ? {} : { title }),
          ...(tags === undefined ? {} : { tags }),
        })
        .returning<ConversationRow[]>('*');
      if (!row) throw conversationNotFound(id);
      return toConversation(row);
    },

    /** Newest first. */
    listConversations: async (page: PageRequest & ConversationFilter): Promise<Page<Conversation>> => {
      const query = trx<ConversationRow>('conversations').where({ deleted_at: null }).orderBy('id', 'desc');
      if (page.agentId) void query.where({ agent_id: page.agentId });
      if (page.parentId) void query.where({ parent_conversation_id: page.parentId });
      // The first condition is that of the index.
      if (page.tag) void query.whereRaw('cardinality(tags) > 0 AND tags @> ARRAY[?]', [page.tag]);
      if (page.cursor) void query.where('id', '<', page.cursor);
      return toPage(await query.limit(page.limit + 1), page.limit, toConversation);
    },

    /**
     * Marks a conversation as deleted: it is not found any more, and its rows are removed afterwards.
     * @throws HoldfastError `NOT_FOUND`, or `TURN_RUNNING` while a turn runs or waits in it
     */
    deleteConversation: async (id: string): Promise<Conversation> => {
      // Locked, so that no turn is submitted between this look and the update.
      const row = await trx<ConversationRow>('conversations')
        .where({ id, deleted_at: null })
        .forUpdate()
        .first();
      if (!row) throw conversationNotFound(id);
      const open = await trx<{ id: string; status: string; conversation_id: string }>('turns')
        .where({ conversation_id: id })
        .whereIn('status', unsettledStatuses)
        .orderBy('ordinal')
        .first('id');
      if (open) throw turnRunning(open.id);
      await trx('conversations').where({ id }).update({ deleted_at: trx.fn.now() });
      return toConversation(row);
    },
  };
}

function turnRunning(turnId: string): HoldfastError {
  const message =
    'A turn runs or waits in this conversation. Cancel it or wait for its end, and delete the conversation then.';
  return new HoldfastError('TURN_RUNNING', message, { details: { turnId } });
}

const missingAgent = {
  details: [{ field: 'agentId', message: 'expected the id of an agent of this workspace' }],
};
