import type { Usage } from './model.ts';
import type { ModelSettings } from './model-settings.ts';
import { priceList } from './price-list.ts';
import { toCostUsd, type ModelPrice, type Prices } from './prices.ts';

/** The key of the price that holds for every model without one. */
const anyModel = '*';

/** Returns the price of a model by these prices, by the list, or by the price for any model; undefined without one. */
export function findPrice(model: string, prices: Prices = {}): ModelPrice | undefined {
  const own = (list: Prices, name: string) => (Object.hasOwn(list, name) ? list[name] : undefined);
  return own(prices, model) ?? own(priceList.models, model) ?? own(prices, anyModel);
}

/** A call of a model, as far as its price depends on it. */
export type PricedSettings = { model: string } & Pick<ModelSettings, 'promptCaching'>;

/**
 * Returns the price of calls with these settings. Anthropic writes entries of an hour to its cache for twice the price of input
 * (https://platform.claude.com/docs/en/build-with-claude/prompt-caching#pricing), and all marks of a call are alike.
 */
export function findCallPrice(
  { model, promptCaching }: PricedSettings,
  prices: Prices = {},
): ModelPrice | undefined {
  const price = findPrice(model, prices);
  const isForHour = promptCaching === '1h' && model.startsWith('anthropic/');
  return price && isForHour ? { ...price, cacheWrite: 2 * price.input } : price;
}

/** Returns what tokens of a model cost in US dollars by these prices or else the list prices; null when neither has it. */
export function toModelCostUsd(settings: PricedSettings, usage: Usage, prices: Prices = {}): number | null {
  return toCostUsd(usage, findCallPrice(settings, prices));
}
