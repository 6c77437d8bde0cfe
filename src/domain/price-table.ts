import type { Usage } from './model.ts';
import { priceList } from './price-list.ts';
import { toCostUsd, type ModelPrice, type Prices } from './prices.ts';

/** The name under which prices hold for every model that has none of its own. */
const anyModel = '*';

/** Returns the price of a model by these prices, by the list, or by the price for any model; undefined without one. */
export function findPrice(model: string, prices: Prices = {}): ModelPrice | undefined {
  const own = (list: Prices, name: string) => (Object.hasOwn(list, name) ? list[name] : undefined);
  return own(prices, model) ?? own(priceList.models, model) ?? own(prices, anyModel);
}

/** Returns what tokens of a model cost in US dollars by these prices or else the list prices; null when neither has it. */
export function toModelCostUsd(model: string, usage: Usage, prices: Prices = {}): number | null {
  return toCostUsd(usage, findPrice(model, prices));
}
