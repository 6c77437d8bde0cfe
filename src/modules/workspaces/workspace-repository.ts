import type { Knex } from 'knex';
import type { ApprovalMode } from '../../domain/approval.ts';
import { unsettledStatuses } from '../../domain/turn-status.ts';
import { newId } from '../../platform/lib/ids.ts';

/** A workspace, by its id and its name. Names need not be unique. */
export interface Workspace {
  id: string;
  name: string;
}

/** A share of the workers; what is left out stays. */
export interface TurnShare {
  /** Null for no limit. */
  maxRunningTurns?: number | null;
  /** Null for 1. */
  weight?: number | null;
}

/** All workspaces that are not deleted, with the system database. */
export function createWorkspaceRepository(system: Knex) {
  const list = () =>
    system<Workspace & { deleted_at: Date | null }>('workspaces')
      .where({ deleted_at: null })
      .select('id', 'name')
      .orderBy('id');
  return {
    createWorkspace: async (name: string): Promise<Workspace> => {
      const workspace = { id: newId(), name };
      await system('workspaces').insert(workspace);
      return workspace;
    },

    findWorkspace: async (id: string): Promise<Workspace | null> =>
      (await list().where({ id }).first()) ?? null,

    /**
     * Marks a workspace as deleted, revokes its API keys, and notes that its turns should stop. Returns the turns.
     * Needs a transaction.
     */
    deleteWorkspace: async (id: string): Promise<string[]> => {
      await system('workspaces').where({ id }).update({ deleted_at: system.fn.now() });
      await system('api_keys')
        .where({ workspace_id: id, revoked_at: null })
        .update({ revoked_at: system.fn.now() });
      const stopped = await system('turns')
        .where({ workspace_id: id })
        .whereIn('status', unsettledStatuses)
        .update({ cancel_requested_at: system.raw('coalesce(cancel_requested_at, now())') })
        .returning<{ id: string }[]>('id');
      return stopped.map((turn) => turn.id);
    },

    /** Sets how long turns wait for a worker, in milliseconds; null for the default. */
    setStartTimeout: async (id: string, timeoutMs: number | null): Promise<void> => {
      await system('workspaces').where({ id }).update({ start_timeout_ms: timeoutMs });
    },

    /** Sets whether calls that change something are asked about where their tools do not say. */
    setApproval: async (id: string, approval: ApprovalMode): Promise<void> => {
      await system('workspaces').where({ id }).update({ approval });
    },

    /** Sets how many turns run at once, and the weight beside other workspaces; null for the default. */
    setTurnShare: async (id: string, share: TurnShare): Promise<void> => {
      const { maxRunningTurns, weight } = share;
      await system('workspaces')
        .where({ id })
        .update({
          ...(maxRunningTurns === undefined ? {} : { max_running_turns: maxRunningTurns }),
          ...(weight === undefined ? {} : { turn_weight: weight }),
        });
    },

    /** Sets the maximum that a run of a routine may take; null for the default. */
    setRoutineLimit: async (
      id: string,
      { of, most }: { of: 'steps' | 'hours' | 'credits'; most: number | null },
    ): Promise<void> => {
      await system('workspaces')
        .where({ id })
        .update({ [`routine_${of}`]: most });
    },

    /** Sets the age in days at which turns are removed; null for that of the installation. */
    setRetention: async (id: string, days: number | null): Promise<void> => {
      await system('workspaces').where({ id }).update({ retention_days: days });
    },

    /** Oldest first. */
    listWorkspaces: async (): Promise<Workspace[]> => list(),

    listNamed: async (name: string): Promise<Workspace[]> => list().where({ name }),
  };
}
