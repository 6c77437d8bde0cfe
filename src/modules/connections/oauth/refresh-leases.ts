import type { Knex } from 'knex';
import type { ConnectionRow } from '../connection-rows.ts';

/** The right of a holder to refresh the tokens of a connection. */
interface RefreshLease {
  connectionId: string;
  holder: string;
  /** How long the right lasts, in milliseconds. */
  leaseMs: number;
}

export type RefreshLeases = ReturnType<typeof createRefreshLeases>;

/**
 * Lets one process at a time refresh the tokens of a connection, without a transaction that stays open meanwhile. The
 * lease of a process that died expires.
 */
export function createRefreshLeases(trx: Knex) {
  const rows = () => trx<ConnectionRow>('connections');
  return {
    /** False while another holder has the lease, and for an unknown connection. */
    take: async ({ connectionId: id, holder, leaseMs }: RefreshLease): Promise<boolean> => {
      // The clock of the database, since the clocks of processes may differ.
      const until = trx.raw(`clock_timestamp() + ? * interval '1 millisecond'`, [leaseMs]);
      const taken = await rows()
        .where({ id })
        .whereRaw('(refresh_until IS NULL OR refresh_until < clock_timestamp())')
        .update({ refresh_holder: holder, refresh_until: until });
      return taken > 0;
    },

    /** Ends the lease of a holder; a lease that another holder has taken since stays. */
    end: async ({ connectionId: id, holder }: Omit<RefreshLease, 'leaseMs'>): Promise<void> => {
      await rows()
        .where({ id, refresh_holder: holder })
        .update({ refresh_holder: null, refresh_until: null });
    },
  };
}
