import type { Knex } from 'knex';
import type { Table } from '../../platform/module/define-module.ts';

/** Removes agents and the rest of one workspace, a limited number of rows in each call. */
export function createWorkspaceRemovalRepository(trx: Knex) {
  /** Removes rows by their key. Returns how many. */
  const removeSome = (table: string, where: object, { key = ['id'], limit }: Batch): Promise<number> => {
    const columns = [...key];
    const some = trx(table).where(where).orderBy(columns).limit(limit).select(columns);
    return trx(table).whereIn(columns, some).delete();
  };

  return {
    /** Marks agents as erased. Returns how many. */
    markAgents: (): Promise<number> =>
      trx('agents')
        .whereNull('erased_at')
        .update({ erased_at: trx.fn.now(), deleted_at: trx.raw('coalesce(deleted_at, now())') }),

    /** Removes a part of an agent that has no conversations, and in the end the agent. Returns how many rows. */
    removeAgent: async (id: string, limit: number): Promise<number> => {
      if (await trx('conversations').where({ agent_id: id }).first<{ id: string } | undefined>('id'))
        return 0;
      for (const [table, ...key] of agentTables) {
        const removed = await removeSome(table, { agent_id: id }, { key, limit });
        if (removed > 0) return removed;
      }
      const grants = await removeSome('approval_grants', { scope: 'agent', scope_id: id }, { limit });
      if (grants > 0) return grants;
      const memories = await removeSome('resources', { scope: `agent:${id}` }, { limit });
      return memories > 0 ? memories : trx('agents').where({ id }).delete();
    },

    /** Removes a part of the deliveries of a deleted webhook, and in the end the webhook. Returns how many rows. */
    removeWebhook: async (id: string, limit: number): Promise<number> => {
      const deliveries = await removeSome('webhook_deliveries', { webhook_id: id }, { limit });
      return deliveries > 0 ? deliveries : trx('webhooks').where({ id }).delete();
    },

    /** Removes a part of the deliveries of a deleted trigger, and in the end the trigger. Returns how many rows. */
    removeTrigger: async (id: string, limit: number): Promise<number> => {
      const deliveries = await removeSome('trigger_deliveries', { trigger_id: id }, { limit });
      return deliveries > 0 ? deliveries : trx('triggers').where({ id }).delete();
    },

    /** Removes resources that were deleted so many days ago, and those that have expired. Returns how many. */
    removeOldResources: (days: number, limit: number): Promise<number> => {
      const old = `deleted_at < now() - make_interval(days => ?) OR expires_at < now()`;
      const some = trx('resources').whereRaw(old, [days]).orderBy('id').limit(limit).select('id');
      return trx('resources').whereIn('id', some).delete();
    },

    /** Whether no row of an agent is left. */
    isAgentGone: async (id: string): Promise<boolean> =>
      (await trx('agents').where({ id }).first<{ id: string } | undefined>('id')) === undefined,

    /** Removes a part of what no conversation and no agent has. Returns how many rows. */
    removeRest: async (tables: readonly Table[], limit: number): Promise<number> => {
      const removed = await removeDocumentPart(trx, limit);
      if (removed > 0) return removed;
      for (const { name, most, key } of tables) {
        const rows = await removeSome(name, {}, { limit: Math.min(limit, most), ...(key ? { key } : {}) });
        if (rows > 0) return rows;
      }
      return 0;
    },

    /** Whether the workspace has conversations or agents. */
    hasConversations: async (): Promise<boolean> => {
      const [conversation, agent] = await Promise.all(
        ['conversations', 'agents'].map((table) => trx(table).first<{ id: string } | undefined>('id')),
      );
      return conversation !== undefined || agent !== undefined;
    },
  };
}

interface Batch {
  key?: readonly string[];
  limit: number;
}

const agentTables: [table: string, ...key: string[]][] = [
  ['tool_call_counts', 'agent_id', 'tool', 'day'],
  ['tool_pins', 'agent_id', 'tool_id'],
  ['agent_connectors', 'agent_id', 'connector_id'],
  ['agent_versions', 'id'],
];

/** Removes chunks of a document, or the document and its file when it has no chunks. */
async function removeDocumentPart(trx: Knex, limit: number): Promise<number> {
  const document = await trx('documents')
    .whereIn('knowledge_base_id', trx('knowledge_bases').select('id'))
    .orderBy('knowledge_base_id')
    .first<{ id: string; file_id: string } | undefined>('id', 'file_id');
  if (!document) return 0;
  const chunk = ['document_id', 'generation', 'position'];
  const some = trx('chunks').where({ document_id: document.id }).limit(limit).select(chunk);
  const removed = await trx('chunks').whereIn(chunk, some).delete();
  if (removed === limit) return removed;
  await trx('documents').where({ id: document.id }).delete();
  await trx('files').where({ id: document.file_id }).delete();
  return removed + 1;
}
