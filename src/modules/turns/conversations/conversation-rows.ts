import type { Conversation, ConversationInput } from '../../../domain/conversation.ts';
import { toOwnerKey } from '../../../domain/person.ts';

/** A row of `conversations`. */
export interface ConversationRow {
  id: string;
  agent_id: string;
  title: string | null;
  tags: string[];
  person: string | null;
  external_id: string | null;
  external_person: string;
  /** Normal forms of names; an empty one stands for everybody. */
  shared_with: string[];
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

/** Stands in `shared_with` for all people of the workspace. */
const everybody = '';

/** The column of those with whom a conversation is shared. */
export function toSharedColumn(sharedWith: ConversationInput['sharedWith']): string[] {
  if (sharedWith === 'workspace') return [everybody];
  return [...new Set((sharedWith ?? []).flatMap((name) => toOwnerKey(name) ?? []))];
}

/** A conversation as the API shows it. */
export function toConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    agentId: row.agent_id,
    title: row.title,
    tags: row.tags,
    person: row.person,
    externalId: row.external_id,
    sharedWith: row.shared_with.includes(everybody) ? 'workspace' : row.shared_with,
    source: row.source,
    parent: toParent(row),
    createdAt: row.created_at.toISOString(),
  };
}

function toParent(row: ConversationRow): Conversation['parent'] {
  const { parent_conversation_id: conversationId, parent_turn_id: turnId, parent_iteration: iteration } = row;
  return conversationId === null || turnId === null ? null : { conversationId, turnId, iteration };
}
