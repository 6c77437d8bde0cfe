import type { Knex } from 'knex';
import type { DeliveryRef } from './delivery-contract.ts';
import { createRestMark, isDue, leased } from '../../../platform/work/sweep-lease.ts';

/** For how long a delivery must be due, how long ago it may have been swept, and how many are taken. */
interface DueWindow {
  graceMs: number;
  againMs: number;
  limit: number;
}

/** Due deliveries of all workspaces, for the sweeper; needs the system database. */
export function createDeliverySweepRepository(system: Knex) {
  return {
    /** Takes deliveries whose attempt is overdue, under a lease. */
    takeOverdue: async ({ graceMs, againMs, limit }: DueWindow): Promise<DeliveryRef[]> => {
      const { rows } = await system.raw<{ rows: DeliveryRef[] }>(
        `UPDATE webhook_deliveries SET swept_at = ${leased(againMs)} WHERE id IN (
           SELECT id FROM webhook_deliveries
           WHERE status = 'pending' AND next_attempt_at < now() - make_interval(secs => :graceMs / 1000.0)
             AND ${isDue('swept_at', againMs)}
           ORDER BY next_attempt_at LIMIT :limit FOR UPDATE SKIP LOCKED)
         RETURNING id AS "deliveryId", workspace_id AS "workspaceId"`,
        { graceMs, limit },
      );
      return rows;
    },

    /** Notes that the workflows of deliveries were started or woken. */
    markSwept: createRestMark(system, 'webhook_deliveries'),
  };
}
