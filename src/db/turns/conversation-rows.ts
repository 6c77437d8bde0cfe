import type { Conversation } from '../../domain/conversation.ts';

/** A row of `conversations`. */
export interface ConversationRow {
  id: string;
  agent_id: string;
  title: string | null;
  tags: string[];
  source: Conversation['source'];
  parent_conversation_id: string | null;
  parent_turn_id: string | null;
  parent_iteration: number | null;
  /** The ordinal of the forked turn in the parent, and of the first turn here that is no copy; null for no fork. */
  parent_ordinal: number | null;
  fork_ordinal: number | null;
  fork_hash: string | null;
  last_event_seq: number;
  created_at: Date;
  deleted_at: Date | null;
}

/** A conversation as the API shows it. */
export function toConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    agentId: row.agent_id,
    title: row.title,
    tags: row.tags,
    source: row.source,
    parent: toParent(row),
    createdAt: row.created_at.toISOString(),
  };
}

function toParent(row: ConversationRow): Conversation['parent'] {
  const { parent_conversation_id: conversationId, parent_turn_id: turnId, parent_iteration: iteration } = row;
  return conversationId === null || turnId === null ? null : { conversationId, turnId, iteration };
}
