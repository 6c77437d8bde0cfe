import type { Knex } from 'knex';
import { toHeirs } from '../files/copied-files.ts';

/** Which turns to remove: those of a conversation, or those that were created and settled before a time. */
type RemovableTurns = { conversationId: string; before?: never } | { conversationId?: never; before: Date };

/** Turns that were removed, and their conversations. */
export interface RemovedTurns {
  turns: number;
  conversationIds: string[];
}

/** Removes turns and conversations of one workspace, a limited number in each call. */
export function createTurnRemovalRepository(trx: Knex) {
  return {
    /**
     * Removes settled turns with everything that belongs to them, oldest first. Files that copies in forks have too are
     * theirs from then on; so are files that messages of other turns name. Uploads that no other turn names go too. The conversations of agents that the turns called are marked as deleted.
     */
    removeTurns: async (which: RemovableTurns, limit: number): Promise<RemovedTurns> => {
      const [condition, values] = which.before
        ? [
            'created_at < :before AND settled_at < :before AND coalesce(imported_at < :before, true) ORDER BY created_at',
            { before: which.before },
          ]
        : ['conversation_id = :conversationId ORDER BY ordinal', { conversationId: which.conversationId }];
      const { rows } = await trx.raw<{ rows: { conversation_id: string }[] }>(toRemoveTurns(condition), {
        ...values,
        limit,
      });
      return { turns: rows.length, conversationIds: [...new Set(rows.map((row) => row.conversation_id))] };
    },

    /** Removes a conversation without turns; with `before`, one that was created before that time. */
    removeConversation: async (id: string, before?: Date): Promise<boolean> => {
      // Locked, so that no turn is submitted between the look for turns and the deletion.
      const query = trx('conversations').where({ id }).forUpdate();
      if (before) void query.where('created_at', '<', before);
      if (!(await query.first<{ id: string } | undefined>('id'))) return false;
      if (await trx('turns').where({ conversation_id: id }).first<{ id: string } | undefined>('id'))
        return false;
      for (const table of ['stream_chunks', 'events'])
        await trx(table).where({ conversation_id: id }).delete();
      await trx('approval_grants').where({ scope: 'conversation', scope_id: id }).delete();
      return (await trx('conversations').where({ id }).delete()) > 0;
    },

    /** Conversations that were created before a time and never had a turn. */
    listUnusedConversations: (before: Date, limit: number): Promise<string[]> =>
      trx('conversations')
        .where({ last_turn_ordinal: 0, deleted_at: null })
        .where('created_at', '<', before)
        .orderBy('id')
        .limit(limit)
        .pluck('id'),

    /** Marks conversations as deleted: those of an agent, or any. Returns how many. */
    markConversations: async (where: { agent_id?: string }, limit: number): Promise<number> => {
      const some = trx('conversations').where(where).whereNull('deleted_at').limit(limit).select('id');
      return trx('conversations').whereIn('id', some).update({ deleted_at: trx.fn.now() });
    },
  };
}

function toRemoveTurns(condition: string): string {
  return `
WITH removed AS MATERIALIZED (
  SELECT id, conversation_id FROM turns
  WHERE status NOT IN ('queued', 'running', 'waiting_for_approval') AND ${condition}
  LIMIT :limit FOR UPDATE SKIP LOCKED
), children AS (
  UPDATE conversations SET deleted_at = now() WHERE deleted_at IS NULL
    AND id IN (SELECT t.conversation_id FROM turns t JOIN removed r ON t.parent_turn_id = r.id)
), chunks AS (
  DELETE FROM stream_chunks WHERE conversation_id = ANY (ARRAY(SELECT DISTINCT conversation_id FROM removed))
    AND turn_id IN (SELECT id FROM removed)
), logged AS (
  DELETE FROM events e USING removed r WHERE e.turn_id = r.id
), copied AS MATERIALIZED (
  SELECT b.id, heirs.id AS turn_id FROM files b JOIN removed r ON r.id = b.turn_id CROSS JOIN LATERAL (
    ${toHeirs('b')} AND heir.id NOT IN (SELECT id FROM removed) LIMIT 1 FOR KEY SHARE OF heir SKIP LOCKED) AS heirs
), named AS MATERIALIZED (
  SELECT b.id, users.id AS turn_id FROM files b JOIN removed r ON r.id = b.turn_id CROSS JOIN LATERAL (
    SELECT t.id FROM file_uses u JOIN turns t ON t.id = u.turn_id
    WHERE u.file_id = b.id AND t.id NOT IN (SELECT id FROM removed) LIMIT 1 FOR KEY SHARE OF t SKIP LOCKED) AS users
), kept AS MATERIALIZED (
  SELECT DISTINCT ON (id) id, turn_id FROM (SELECT * FROM copied UNION ALL SELECT * FROM named) AS reasons
), handed AS (
  UPDATE files b SET turn_id = kept.turn_id FROM kept WHERE b.id = kept.id
), parts AS (
  DELETE FROM files b USING removed r WHERE b.turn_id = r.id AND b.id NOT IN (SELECT id FROM kept)
), uses AS (
  DELETE FROM file_uses u USING removed r WHERE u.turn_id = r.id RETURNING u.file_id
), released AS MATERIALIZED (
  SELECT b.id FROM files b WHERE b.id IN (SELECT file_id FROM uses) AND b.created_by IS NOT NULL AND NOT EXISTS (
    SELECT FROM file_uses o WHERE o.file_id = b.id AND o.turn_id NOT IN (SELECT id FROM removed))
  FOR UPDATE SKIP LOCKED
), uploads AS (
  DELETE FROM files b USING released f WHERE b.id = f.id
), used AS (
  DELETE FROM usage u USING removed r WHERE u.turn_id = r.id
), actions AS (
  DELETE FROM pending_actions a USING removed r WHERE a.turn_id = r.id
), calls AS (
  DELETE FROM tool_calls c USING removed r WHERE c.turn_id = r.id
), replayed AS (
  DELETE FROM replay_runs run USING replay_cases c JOIN removed r ON r.conversation_id = c.conversation_id
  WHERE r.id = ANY (c.turn_ids) AND run.replay_id = c.replay_id AND run.position = c.position
), texts AS (
  DELETE FROM messages m USING removed r WHERE m.turn_id = r.id
), compacted AS (
  DELETE FROM compactions k USING removed r WHERE k.turn_id = r.id
)
DELETE FROM turns t USING removed r WHERE t.id = r.id RETURNING t.conversation_id`;
}
