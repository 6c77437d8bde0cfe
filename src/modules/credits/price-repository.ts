import type { Knex } from 'knex';
import type { Prices } from '../../domain/prices.ts';

/** The prices that a workspace has set, and when. */
export interface WorkspacePrices {
  prices: Prices;
  updatedAt: string | null;
}

/** The prices of one workspace. */
export function createPriceRepository(trx: Knex) {
  return {
    getPrices: async (): Promise<WorkspacePrices> => {
      const row = await trx('workspace_prices').first<{ prices: Prices; updated_at: Date } | undefined>();
      return { prices: row?.prices ?? {}, updatedAt: row?.updated_at.toISOString() ?? null };
    },

    /** Replaces all prices of the workspace. */
    setPrices: async (prices: Prices): Promise<void> => {
      const row = { prices: JSON.stringify(prices), updated_at: trx.fn.now() };
      await trx('workspace_prices').insert(row).onConflict('workspace_id').merge();
    },
  };
}
