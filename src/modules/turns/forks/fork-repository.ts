import type { Conversation } from '../../../domain/conversation.ts';
import type { HoldfastError } from '../../../domain/errors.ts';
import type { MessageContent, MessagePart } from '../../../domain/message-part.ts';
import { toOneLine } from '../../../domain/text.ts';
import type { Turn } from '../../../domain/turn.ts';
import type { AgentTurnInput } from '../../../contract/turn-steps.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import { toConversation, type ConversationRow } from '../conversations/conversation-rows.ts';
import { insertFork, type ForkValues } from './fork-statement.ts';
import { findMissingFiles } from '../messages/message-parts.ts';
import { toAgentTurnInput, toTurn, type TurnRow } from '../turn-rows.ts';
import { findTurnStart, toTurnStart } from '../turn-start.ts';

/** A turn from which a conversation is forked. */
export interface ForkedTurn {
  turn: Turn;
  ordinal: number;
  /** The message of the user that started it. */
  message: MessageContent;
  /** Its tool calls, in their order. */
  calls: { id: string; iteration: number }[];
}

/** The agent version that runs the turn of a fork. */
export interface ForkVersion {
  id: string;
  agentId: string;
  isDeleted: boolean;
}

/** A fork that is stored. */
export interface StoredFork {
  conversation: Conversation;
  /** Null for a fork that runs none. */
  turn: Turn | null;
  /** The input of the turn's workflow; null when no turn runs. */
  start: AgentTurnInput | null;
}

/** Forks of conversations. */
export function createForkRepository(query: Query) {
  /** A fork with the hash of its request; null when there is none. */
  const findFork = async (
    forkId: string,
    turnId: string,
  ): Promise<(StoredFork & { hash: string | null; isDeleted: boolean }) | null> => {
    const [[row], [turn], [start]] = await Promise.all([
      query(findForkRow, { forkId }),
      query(findTurnOfFork, { turnId }),
      query(findTurnStart, { turnId }),
    ]);
    if (!row) return null;
    return {
      conversation: toConversation(row),
      turn: turn ? toTurn(turn) : null,
      start: start?.status === 'running' ? toTurnStart(start) : null,
      ...{ hash: row.fork_hash, isDeleted: row.deleted_at !== null },
    };
  };

  return {
    findFork,

    /** Finds a conversation, and keeps it from being deleted until the transaction ends. */
    lockParent: async (conversationId: string): Promise<boolean> =>
      (await query(lockParent, { conversationId })).length > 0,

    findForkedTurn: async (conversationId: string, turnId: string): Promise<ForkedTurn | null> => {
      const [[row], calls] = await Promise.all([
        query(findForkedTurn, { conversationId, turnId }),
        query(listCalls, { turnId }),
      ]);
      return row
        ? { turn: toTurn(row), ordinal: row.ordinal, message: row.parts ?? row.message, calls }
        : null;
    },

    findVersion: async (versionId: string): Promise<ForkVersion | null> => {
      const [row] = await query(findVersion, { versionId });
      return row ?? null;
    },

    /** The error of a message that names files which are not there; null for others. */
    findMissingFiles: (content: MessageContent): Promise<HoldfastError | null> =>
      findMissingFiles(query, content),

    storeFork: async (values: ForkValues): Promise<StoredFork> => {
      const [turn] = await query(insertFork, values);
      const [row] = await query(findForkRow, { forkId: values.forkId });
      if (!row) throw new Error('an inserted fork did not come back');
      return {
        conversation: toConversation(row),
        turn: turn ? toTurn(turn) : null,
        start: turn ? toAgentTurnInput(turn, turn, toOneLine(values.message)) : null,
      };
    },
  };
}

const findForkRow = defineStatement<{ forkId: string }, ConversationRow>(
  'find_fork',
  'SELECT * FROM conversations WHERE id = :forkId',
);

const findTurnOfFork = defineStatement<{ turnId: string }, TurnRow>(
  'find_turn_of_fork',
  'SELECT * FROM turns WHERE id = :turnId',
);

/** The weakest lock that a deletion waits for: turns of the parent continue. */
const lockParent = defineStatement<{ conversationId: string }, { id: string }>(
  'lock_parent_of_fork',
  'SELECT id FROM conversations WHERE id = :conversationId AND deleted_at IS NULL FOR KEY SHARE',
);

const findForkedTurn = defineStatement<
  { conversationId: string; turnId: string },
  TurnRow & { message: string; parts: MessagePart[] | null }
>(
  'find_forked_turn',
  `SELECT t.*, coalesce(m.text, '') AS message, m.parts FROM turns t
   LEFT JOIN messages m ON m.conversation_id = t.conversation_id AND m.turn_ordinal = t.ordinal AND m.iteration = 0
     AND m.steered_ordinal = 0
   WHERE t.id = :turnId AND t.conversation_id = :conversationId`,
);

const listCalls = defineStatement<{ turnId: string }, { id: string; iteration: number }>(
  'list_calls_of_forked_turn',
  'SELECT id, iteration FROM tool_calls WHERE turn_id = :turnId ORDER BY iteration, index',
);

const findVersion = defineStatement<{ versionId: string }, ForkVersion>(
  'find_version_of_fork',
  `SELECT v.id, v.agent_id AS "agentId", a.deleted_at IS NOT NULL AS "isDeleted"
   FROM agent_versions v JOIN agents a ON a.id = v.agent_id WHERE v.id = :versionId`,
);
