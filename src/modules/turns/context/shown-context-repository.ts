import type { ShownCompaction } from '../../../domain/shown-context.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import { toUsage, type UsageColumns } from '../../credits/usage-columns.ts';

/** The turn whose context is the newest one of a conversation. */
interface NewestTurn {
  agentId: string;
  /** Null for a conversation without turns. */
  turnId: string | null;
  isRunning: boolean;
  /** The version of the turn that runs, or the present one of the agent. */
  versionId: string;
  iterations: number;
}

interface CompactionRow extends UsageColumns, Pick<ShownCompaction, 'id' | 'iteration' | 'kind' | 'error'> {
  turn_id: string;
  message_id: string | null;
  tokens_before: number;
  tokens_after: number;
  model: string | null;
  credits: number | null;
  created_at: Date;
}

/** Reads what the next model call of a conversation would see, for people. */
export function createShownContextRepository(query: Query) {
  return {
    /** Null when there is no such conversation. */
    findNewestTurn: async (conversationId: string): Promise<NewestTurn | null> => {
      const [row] = await query(findNewestTurn, { conversationId });
      return row ?? null;
    },

    /** Newest first. */
    listCompactions: async (conversationId: string): Promise<ShownCompaction[]> =>
      (await query(listCompactions, { conversationId })).map(toCompaction),

    /** Those before the model calls of a turn, in their order. */
    listCompactionsOfTurn: async (turnId: string): Promise<ShownCompaction[]> =>
      (await query(listCompactionsOfTurn, { turnId })).map(toCompaction),

    /** The turns of a conversation by their ordinals, without those that wait, gave their message to another one, or are hidden. */
    listTurnIds: (conversationId: string): Promise<{ id: string; ordinal: number }[]> =>
      query(listTurnIds, { conversationId }),
  };
}

const findNewestTurn = defineStatement<{ conversationId: string }, NewestTurn>(
  'find_newest_turn',
  `SELECT c.agent_id AS "agentId", t.id AS "turnId", coalesce(t.running, false) AS "isRunning",
     CASE WHEN t.running THEN t.agent_version_id ELSE v.id END AS "versionId", coalesce(t.iterations, 0) AS iterations
   FROM conversations c JOIN agents a ON a.id = c.agent_id
   JOIN agent_versions v ON v.agent_id = a.id AND v.version = a.current_version
   LEFT JOIN LATERAL (
     SELECT o.id, o.agent_version_id, o.iterations, o.status IN ('running', 'waiting_for_approval') AS running FROM turns o
     WHERE o.conversation_id = c.id AND o.status NOT IN ('queued', 'steered') ORDER BY o.ordinal DESC LIMIT 1
   ) t ON true
   WHERE c.id = :conversationId AND c.deleted_at IS NULL`,
);

const listCompactions = defineStatement<{ conversationId: string }, CompactionRow>(
  'list_compactions',
  `SELECT * FROM compactions WHERE conversation_id = :conversationId
   ORDER BY turn_ordinal DESC, iteration DESC, number DESC LIMIT 100`,
);

const listCompactionsOfTurn = defineStatement<{ turnId: string }, CompactionRow>(
  'list_compactions_of_turn',
  'SELECT * FROM compactions WHERE turn_id = :turnId ORDER BY iteration, number',
);

const listTurnIds = defineStatement<{ conversationId: string }, { id: string; ordinal: number }>(
  'list_turn_ids',
  `SELECT t.id, t.ordinal FROM turns t JOIN conversations c ON c.id = t.conversation_id
   WHERE t.conversation_id = :conversationId AND t.status NOT IN ('queued', 'steered')
     AND t.ordinal <> ALL (c.hidden_ordinals) ORDER BY t.ordinal`,
);

function toCompaction(row: CompactionRow): ShownCompaction {
  const { id, iteration, kind, error } = row;
  return {
    ...{ id, iteration, kind, error },
    turnId: row.turn_id,
    messageId: row.message_id,
    tokensBefore: row.tokens_before,
    tokensAfter: row.tokens_after,
    model: row.model,
    usage: toUsage(row),
    credits: row.credits === null ? null : String(row.credits),
    createdAt: row.created_at.toISOString(),
  };
}
