import type { Knex } from 'knex';
import type { Stuck, WorkflowRef } from '../../domain/stuck-workflow.ts';
import { defineStatement, type Query } from '../database/statement.ts';
import type { StuckHandling, WorkKind } from './work-kind.ts';

/** Whether the work of a stuck workflow is to continue, was stopped by an actor, or has ended. */
type StuckDemand = 'continue' | 'stop' | 'over';

/** The stuck workflows of all workspaces, for the sweeper; needs the system database. */
export function createStuckSweepRepository(system: Knex, kinds: readonly Pick<WorkKind, 'kind' | 'stuck'>[]) {
  return {
    listStuck: (limit: number): Promise<WorkflowRef[]> =>
      system('stuck_workflows').orderBy('workflow_id').limit(limit).select<WorkflowRef[]>({
        workflowId: 'workflow_id',
        workspaceId: 'workspace_id',
        kind: 'kind',
        subjectId: 'subject_id',
      }),

    /** Notes that a workflow is stuck. Returns true when it was not noted before. */
    storeStuck: async (
      { workflowId, workspaceId, kind, subjectId }: WorkflowRef,
      { cause, since }: Stuck,
    ): Promise<boolean> => {
      const { rows } = await system.raw<{ rows: { isNew: boolean }[] }>(
        `INSERT INTO stuck_workflows (workflow_id, workspace_id, kind, subject_id, cause, since)
         VALUES (:workflowId, :workspaceId, :kind, :subjectId, :cause, :since)
         ON CONFLICT (workflow_id) DO UPDATE SET cause = excluded.cause, since = excluded.since
         RETURNING xmax = 0 AS "isNew"`,
        { workflowId, workspaceId, kind, subjectId, cause, since },
      );
      return rows[0]?.isNew ?? false;
    },

    /** Returns true when the workflow was noted as stuck. */
    removeStuck: async (workflowId: string): Promise<boolean> =>
      (await system('stuck_workflows').where({ workflow_id: workflowId }).delete()) > 0,

    readDemand: async ({ kind, subjectId }: WorkflowRef): Promise<StuckDemand> => {
      const stuck = kinds.find((each) => each.kind === kind)?.stuck;
      if (stuck === undefined || subjectId === null) return 'continue';
      const { rows } = await system.raw<{ rows: { demand: StuckDemand }[] }>(toDemand(stuck), { subjectId });
      // Work that was deleted has ended.
      return rows[0]?.demand ?? 'over';
    },
  };
}

const toDemand = ({ table, isStopped }: Pick<StuckHandling, 'table' | 'isStopped'>): string =>
  `SELECT CASE WHEN settled_at IS NOT NULL THEN 'over' WHEN ${isStopped} THEN 'stop' ELSE 'continue' END AS demand
   FROM ${table} WHERE id = :subjectId`;

export type StuckSweepRepository = ReturnType<typeof createStuckSweepRepository>;

/** Returns the state of stuck work as a field of its object, and no field for work that is not stuck. */
export async function findStuck(query: Query, subjectId: string): Promise<{ stuck?: Stuck }> {
  const [row] = await query(findStuckRow, { subjectId });
  return row ? { stuck: { since: row.since.toISOString(), cause: row.cause } } : {};
}

const findStuckRow = defineStatement<{ subjectId: string }, { since: Date; cause: string }>(
  'find_stuck_workflow',
  'SELECT since, cause FROM stuck_workflows WHERE subject_id = :subjectId LIMIT 1',
);

/** Counts the stuck workflows of all workspaces; needs the system database. */
export async function countStuckWorkflows(system: Knex): Promise<number> {
  const [row] = await system('stuck_workflows').count<{ count: string }[]>('* as count');
  return Number(row?.count ?? 0);
}
