import { toCredits } from '../../src/domain/credits.ts';
import { findPrice } from '../../src/domain/price-table.ts';
import type { Prices } from '../../src/domain/prices.ts';
import type { Tool } from '../../src/domain/tool.ts';
import type { ToolCallEnd } from '../../src/modules/turns/calls/tool-call-repository.ts';

type ReadPrices = () => Promise<Prices>;

/** The setting of a tool, or the price of an image by the model that makes it; null for a tool without a price. */
export async function findToolPrice(tool: Tool | null, readPrices: ReadPrices): Promise<bigint | null> {
  if (tool?.settings?.credits !== undefined) return BigInt(tool.settings.credits);
  if (tool?.type !== 'function' || tool.config.model === undefined) return null;
  const perImage = findPrice(tool.config.model, await readPrices())?.perImage;
  return perImage === undefined ? null : toCredits(perImage);
}

/**
 * Adds the price of an image to the end of a call whose outcome is unknown: the vendor may have made it, and no tool is left
 * that could report what it has cost.
 */
export async function withUnreportedPrice(
  end: ToolCallEnd,
  tool: Tool | null,
  readPrices: ReadPrices,
): Promise<ToolCallEnd> {
  if (end.status !== 'unknown' || end.creditsUsed !== undefined) return end;
  const price = await findToolPrice(tool, readPrices);
  return price === null ? end : { ...end, creditsUsed: String(price) };
}
