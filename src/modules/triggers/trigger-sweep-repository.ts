import type { Knex } from 'knex';
import { leaseEnd } from '../../platform/work/sweep-lease.ts';

/** A delivery that is to be started, and its workspace. */
export interface TriggerDeliveryRef {
  workspaceId: string;
  deliveryId: string;
}

/** How long a delivery is listed, and recognized as a duplicate when it is repeated, in days. */
const keptDays = 90;
const payloadDays = 3;

/** Deliveries of all workspaces, for the sweeper; needs the system database. */
export function createTriggerSweepRepository(system: Knex) {
  return {
    /** Takes deliveries that were not started, under a lease. */
    takeUnstarted: async (limit: number): Promise<TriggerDeliveryRef[]> => {
      const { rows } = await system.raw<{ rows: TriggerDeliveryRef[] }>(
        `UPDATE trigger_deliveries SET attempts = attempts + 1, next_attempt_at = ${leaseEnd}
         WHERE id IN (
           SELECT id FROM trigger_deliveries d WHERE status = 'accepted' AND next_attempt_at < now()
             AND EXISTS (SELECT FROM workspaces WHERE id = d.workspace_id AND deleted_at IS NULL)
           ORDER BY next_attempt_at LIMIT :limit FOR UPDATE SKIP LOCKED)
         RETURNING id AS "deliveryId", workspace_id AS "workspaceId"`,
        { limit },
      );
      return rows;
    },

    /** Lets a delivery that could not be started wait for a pause that doubles with its attempts, up to five minutes. */
    postpone: async (id: string): Promise<void> => {
      await system.raw(
        `UPDATE trigger_deliveries
         SET next_attempt_at = now() + make_interval(secs => least(300, 5 * 2 ^ least(attempts - 1, 10)))
         WHERE id = :id AND status = 'accepted'`,
        { id },
      );
    },

    /** Removes the payloads of deliveries that have ended, and deliveries that are older than the list is kept for. */
    removeOld: async (limit: number): Promise<void> => {
      const rows = () => system('trigger_deliveries').whereNot({ status: 'accepted' });
      const old = (days: number) =>
        rows()
          .whereRaw('received_at < now() - make_interval(days => ?)', [days])
          .orderBy('received_at')
          .limit(limit)
          .select('id');
      await rows().whereIn('id', old(payloadDays).whereNotNull('payload')).update({ payload: null });
      await rows().whereIn('id', old(keptDays)).delete();
    },
  };
}

export type TriggerSweepRepository = ReturnType<typeof createTriggerSweepRepository>;
