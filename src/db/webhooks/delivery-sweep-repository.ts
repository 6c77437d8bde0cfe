import type { Knex } from 'knex';
import type { DeliveryPlace } from '../../../workflows/contract/webhook-steps.ts';

/** For how long a delivery must be due, how long ago it may have been taken, and how many are taken. */
interface DueWindow {
  graceMs: number;
  againMs: number;
  limit: number;
}

/** Due deliveries of all workspaces, for the sweeper; needs the system database. */
export function createDeliverySweepRepository(system: Knex) {
  return {
    /** Takes deliveries whose attempt is overdue, so that the next call takes others. */
    takeOverdue: async (window: DueWindow): Promise<DeliveryPlace[]> => {
      const { rows } = await system.raw<{ rows: DeliveryPlace[] }>(
        `UPDATE webhook_deliveries SET swept_at = now() WHERE id IN (
           SELECT id FROM webhook_deliveries
           WHERE status = 'pending' AND next_attempt_at < now() - make_interval(secs => :graceMs / 1000.0)
             AND (swept_at IS NULL OR swept_at < now() - make_interval(secs => :againMs / 1000.0))
           ORDER BY next_attempt_at LIMIT :limit FOR UPDATE SKIP LOCKED)
         RETURNING id AS "deliveryId", workspace_id AS "workspaceId"`,
        { ...window },
      );
      return rows;
    },
  };
}

export type DeliverySweepRepository = ReturnType<typeof createDeliverySweepRepository>;
