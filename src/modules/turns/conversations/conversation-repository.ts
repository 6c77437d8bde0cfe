import type { Knex } from 'knex';
import type { Conversation, ConversationChange, ConversationInput } from '../../../domain/conversation.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { toOwnerKey } from '../../../domain/person.ts';
import type { TurnFilter } from '../turn-filter.ts';
import { unsettledStatuses } from '../../../domain/turn-status.ts';
import { newId } from '../../../platform/lib/ids.ts';
import { toPage, type Page, type PageRequest } from '../../../platform/database/page.ts';
import { toConversation, toSharedColumn, type ConversationRow } from './conversation-rows.ts';
import { conversationNotFound } from '../turn-rows.ts';

/** Selects conversations of a list. */
interface ConversationFilter {
  agentId?: string | undefined;
  tag?: string | undefined;
  /** The name of the person to whom they belong. */
  person?: string | undefined;
  /** Only forks of this conversation. */
  parentId?: string | undefined;
  externalId?: string | undefined;
  /** Only conversations that were created at this time or later, and before that one; in ISO 8601. */
  from?: string | undefined;
  to?: string | undefined;
  /** Only conversations with a turn that ended so, or one that is `open`. */
  outcome?: TurnFilter['outcome'];
}

/** A conversation, and whether it was created now. */
interface OpenedConversation {
  created: boolean;
  conversation: Conversation;
}

/** A page of conversations, and the person whose conversations alone are wanted. */
export type ConversationList = PageRequest & ConversationFilter & { viewer?: string | null };

/** The first condition is that of the index. */
const isSharedByOther = `cardinality(shared_with) > 0 AND shared_with && ARRAY[:viewer, '']
  AND person IS DISTINCT FROM :viewer`;

const shareBelow = `WITH RECURSIVE below AS (
    SELECT id, conversation_id FROM turns WHERE conversation_id = :id
    UNION ALL
    SELECT t.id, t.conversation_id FROM turns t JOIN below ON t.parent_turn_id = below.id
  )
  UPDATE conversations SET shared_with = :shared
  WHERE id IN (SELECT conversation_id FROM below) AND id <> :id`;

function selectPage(trx: Knex, page: Omit<ConversationList, 'viewer'>) {
  const query = trx<ConversationRow>('conversations').where({ deleted_at: null }).orderBy('id', 'desc');
  if (page.agentId) void query.where({ agent_id: page.agentId });
  if (page.person) void query.where({ person: toOwnerKey(page.person) });
  if (page.parentId) void query.where({ parent_conversation_id: page.parentId });
  if (page.externalId) void query.where({ external_id: page.externalId });
  if (page.from) void query.where('created_at', '>=', page.from);
  if (page.to) void query.where('created_at', '<', page.to);
  if (page.outcome) void query.whereExists(selectTurns(trx, page.outcome));
  // The first condition is that of the index.
  if (page.tag) void query.whereRaw('cardinality(tags) > 0 AND tags @> ARRAY[?]', [page.tag]);
  if (page.cursor) void query.where('id', '<', page.cursor);
  return query.limit(page.limit + 1);
}

/** The turns of the conversation of the query around it that ended so. */
function selectTurns(trx: Knex, outcome: NonNullable<TurnFilter['outcome']>) {
  return trx('turns')
    .whereRaw('turns.conversation_id = conversations.id')
    .whereIn('turns.status', outcome === 'open' ? unsettledStatuses : [outcome]);
}

async function listPage(trx: Knex, list: ConversationList): Promise<Page<Conversation>> {
  const { viewer = null, limit } = list;
  const select = () => selectPage(trx, list);
  if (viewer === null) return toPage(await select(), limit, toConversation);
  // Each part reads as many rows of an index as the page has, where one condition would read all of the workspace.
  const parts = [select().where({ person: viewer }), select().whereRaw(isSharedByOther, { viewer })];
  const rows = await trx
    .unionAll(parts, true)
    .orderBy('id', 'desc')
    .limit(limit + 1);
  return toPage(rows as ConversationRow[], limit, toConversation);
}

/** Conversations of one workspace. */
export function createConversationRepository(trx: Knex) {
  return {
    /** @throws HoldfastError `NOT_FOUND` when the agent is not there or deleted */
    createConversation: async (input: Omit<ConversationInput, 'externalId'>): Promise<Conversation> => {
      const made = await insertConversation(trx, input);
      if (!made) throw new Error('an inserted conversation did not come back');
      return made;
    },

    /**
     * Creates a conversation, or finds the one that was created with its `externalId` for its agent and its person.
     * @throws HoldfastError `NOT_FOUND` when the agent is not there or deleted, `CONFLICT` when another transaction deletes it
     */
    openConversation: async (input: ConversationInput): Promise<OpenedConversation> => {
      const made = await insertConversation(trx, input);
      if (made) return { created: true, conversation: made };
      const { agentId, externalId, person } = input;
      const row = await trx<ConversationRow>('conversations')
        .where({
          agent_id: agentId,
          external_id: externalId ?? null,
          external_person: toOwnerKey(person) ?? '',
        })
        .where({ deleted_at: null })
        .first();
      if (!row)
        throw new HoldfastError('CONFLICT', 'The conversation with this id was just deleted. Try again.');
      return { created: false, conversation: toConversation(row) };
    },

    /** @throws HoldfastError `NOT_FOUND` */
    getConversation: async (id: string): Promise<Conversation & { lastEventSeq: number }> => {
      const row = await trx<ConversationRow>('conversations').where({ id, deleted_at: null }).first();
      if (!row) throw conversationNotFound(id);
      return { ...toConversation(row), lastEventSeq: row.last_event_seq };
    },

    /**
     * Replaces the fields that are named. Those with whom it is shared see the conversations of the agents that it called too.
     * @throws HoldfastError `NOT_FOUND`
     */
    changeConversation: async (id: string, change: ConversationChange): Promise<Conversation> => {
      const { title, tags, sharedWith } = change;
      if (sharedWith !== undefined) await trx.raw(shareBelow, { id, shared: toSharedColumn(sharedWith) });
      const [row] = await trx('conversations')
        .where({ id, deleted_at: null })
        .update({
          // Without a change the row is still answered.
          id,
          ...(title === undefined ? {} : { title }),
          ...(tags === undefined ? {} : { tags }),
          ...(sharedWith === undefined ? {} : { shared_with: toSharedColumn(sharedWith) }),
        })
        .returning<ConversationRow[]>('*');
      if (!row) throw conversationNotFound(id);
      return toConversation(row);
    },

    /** Newest first; for a viewer those of this person and those that are shared with it. */
    listConversations: (list: ConversationList): Promise<Page<Conversation>> => listPage(trx, list),

    /**
     * Marks a conversation as deleted: it is not found any more, and its rows are removed afterwards.
     * @throws HoldfastError `NOT_FOUND`, or `TURN_RUNNING` while a turn runs or waits in it
     */
    deleteConversation: (id: string): Promise<Conversation> => markDeleted(trx, id),
  };
}

/** Null when there is a conversation with its `externalId`. */
async function insertConversation(trx: Knex, input: ConversationInput): Promise<Conversation | null> {
  const { agentId, externalId, title, tags, person, sharedWith } = input;
  // Locked, so that the agent cannot be deleted between this look and the insert.
  const agent = await trx<{ id: string; deleted_at: Date | null }>('agents')
    .where({ id: agentId, deleted_at: null })
    .forShare()
    .first('id');
  if (!agent) throw new HoldfastError('NOT_FOUND', `There is no agent ${agentId}.`, missingAgent);
  const owner = toOwnerKey(person);
  const [row] = await trx('conversations')
    .insert({
      ...{ id: newId(), agent_id: agentId, title: title ?? null, tags: tags ?? [] },
      ...{ person: owner, shared_with: toSharedColumn(sharedWith) },
      ...{ external_id: externalId ?? null, external_person: owner ?? '' },
    })
    .onConflict()
    .ignore()
    .returning<ConversationRow[]>('*');
  return row ? toConversation(row) : null;
}

async function markDeleted(trx: Knex, id: string): Promise<Conversation> {
  // Locked, so that no turn is submitted between this look and the update.
  const row = await trx<ConversationRow>('conversations').where({ id, deleted_at: null }).forUpdate().first();
  if (!row) throw conversationNotFound(id);
  const open = await trx<{ id: string; status: string; conversation_id: string }>('turns')
    .where({ conversation_id: id })
    .whereIn('status', unsettledStatuses)
    .orderBy('ordinal')
    .first('id');
  if (open) throw turnRunning(open.id);
  await trx('conversations').where({ id }).update({ deleted_at: trx.fn.now() });
  return toConversation(row);
}

function turnRunning(turnId: string): HoldfastError {
  const message =
    'A turn runs or waits in this conversation. Cancel it or wait for its end, and delete the conversation then.';
  return new HoldfastError('TURN_RUNNING', message, { details: { turnId } });
}

const missingAgent = {
  details: [{ field: 'agentId', message: 'expected the id of an agent of this workspace' }],
};
