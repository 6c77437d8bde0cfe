import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import { createPriceRepository } from './price-repository.ts';
import { priceList } from '../../domain/price-list.ts';
import type { Prices } from '../../domain/prices.ts';
import type { CreditDependencies } from './credit-dependencies.ts';

/** The prices that hold in a workspace: its own, and the list's where it has none. */
export interface PriceTable {
  /** The day of the list prices. */
  version: string;
  list: Prices;
  /** The prices that the workspace has set. */
  own: Prices;
  /** When it set them; null when it has not. */
  updatedAt: string | null;
}

export async function getPrices(
  { database }: CreditDependencies,
  { workspaceId }: { workspaceId: string },
): Promise<PriceTable> {
  const { prices, updatedAt } = await database.inWorkspace(workspaceId, (trx) =>
    createPriceRepository(trx).getPrices(),
  );
  return { version: priceList.version, list: priceList.models, own: prices, updatedAt };
}

/** Replaces the prices of a workspace. They hold for model calls that begin afterwards. */
export async function setPrices(
  dependencies: CreditDependencies,
  workspace: { workspaceId: string },
  prices: Prices,
): Promise<PriceTable> {
  await dependencies.database.inWorkspace(workspace.workspaceId, async (trx) => {
    await createPriceRepository(trx).setPrices(prices);
    await createAuditLog(trx).record({
      type: 'prices.updated',
      subjectId: null,
      payload: { models: Object.keys(prices) },
    });
  });
  return getPrices(dependencies, workspace);
}
