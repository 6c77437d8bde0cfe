import type { Knex } from 'knex';
import { withOldRoutines } from './routine-removal-repository.ts';

/** A row that was deleted and is to be removed, with its workspace. */
export interface Removable {
  id: string;
  workspaceId: string;
}

/** A workspace whose rows are removed at an age, in days. */
export interface WorkspaceRetention {
  workspaceId: string;
  days: number;
}

interface WorkspaceSize {
  agents: number;
  conversations: number;
  knowledgeBases: number;
}

function selectDeleted(table: 'webhooks' | 'triggers'): string {
  return `SELECT id, workspace_id AS "workspaceId" FROM ${table} WHERE deleted_at IS NOT NULL ORDER BY id LIMIT :limit`;
}

/** Lists the rows to remove in all workspaces; needs the system database. */
export function createRemovalQueue(system: Knex) {
  const list = async (text: string, limit: number): Promise<Removable[]> => {
    const { rows } = await system.raw<{ rows: Removable[] }>(text, { limit });
    return rows;
  };

  return {
    /** Deleted conversations in which no turn runs or waits. */
    listConversations: (limit: number): Promise<Removable[]> =>
      list(
        `SELECT id, workspace_id AS "workspaceId" FROM conversations c WHERE deleted_at IS NOT NULL
           AND NOT EXISTS (SELECT FROM turns WHERE conversation_id = c.id
             AND status IN ('queued', 'running', 'waiting_for_approval'))
         ORDER BY id LIMIT :limit`,
        limit,
      ),

    /** Agents that were deleted for good. */
    listAgents: (limit: number): Promise<Removable[]> =>
      list(
        `SELECT id, workspace_id AS "workspaceId" FROM agents WHERE erased_at IS NOT NULL ORDER BY id LIMIT :limit`,
        limit,
      ),

    /** Deleted webhooks, whose deliveries are still there. */
    listWebhooks: (limit: number): Promise<Removable[]> => list(selectDeleted('webhooks'), limit),

    /** Deleted triggers, whose deliveries are still there. */
    listTriggers: (limit: number): Promise<Removable[]> => list(selectDeleted('triggers'), limit),

    /** Workspaces with resources that were deleted too long ago to be restored, or have expired. */
    listWithOldResources: (days: number): Promise<string[]> => {
      const old = `deleted_at < now() - make_interval(days => ?) OR expires_at < now()`;
      return system('resources').whereRaw(old, [days]).distinct().pluck<string[]>('workspace_id');
    },

    /** Workspaces with routines that were deleted too long ago to be restored, and have no runs. */
    listWithOldRoutines: (days: number): Promise<string[]> =>
      withOldRoutines(system, days).distinct().pluck<string[]>('r.workspace_id'),

    /** Deleted workspaces that still have rows; `closeWorkspace` takes them from this list. */
    listWorkspaces: async (): Promise<string[]> =>
      system('workspaces')
        .whereNotNull('deleted_at')
        .whereNot('name', '')
        .orderBy('id')
        .pluck<string[]>('id'),

    /** Workspaces whose old rows are removed, by their own setting or by that of the installation. */
    listRetentions: async (defaultDays: number | undefined): Promise<WorkspaceRetention[]> => {
      const { rows } = await system.raw<{ rows: WorkspaceRetention[] }>(
        `SELECT id AS "workspaceId", coalesce(retention_days, :days::integer) AS days FROM workspaces
         WHERE deleted_at IS NULL AND coalesce(retention_days, :days::integer) IS NOT NULL ORDER BY id`,
        { days: defaultDays ?? null },
      );
      return rows;
    },

    /** How much a workspace has. */
    countWorkspace: async (id: string): Promise<WorkspaceSize> => {
      const count = (table: string) => `(SELECT count(*) FROM ${table} WHERE workspace_id = :id)`;
      const { rows } = await system.raw<{ rows: WorkspaceSize[] }>(
        `SELECT ${count('agents')} AS agents, ${count('conversations')} AS conversations,
           ${count('knowledge_bases')} AS "knowledgeBases"`,
        { id },
      );
      const [size] = rows;
      if (!size) throw new Error('a count did not come back');
      return size;
    },

    /** Notes that a deleted workspace has no rows but its audit log. Its name is removed too. */
    closeWorkspace: async (id: string): Promise<void> => {
      await system('workspaces').where({ id }).update({ name: '' });
    },
  };
}
