import { toCostUsd, type ModelPrice, type Prices } from './prices.ts';
import type { Usage } from './model.ts';

/**
 * List prices of the vendors in US dollars for a million tokens, as published in autumn 2025, for prompts of usual length
 * and without discounts for batches.
 */
const listPrices: Prices = {
  'openai/gpt-5': { input: 1.25, output: 10, cacheRead: 0.125 },
  'openai/gpt-5-mini': { input: 0.25, output: 2, cacheRead: 0.025 },
  'openai/gpt-5-nano': { input: 0.05, output: 0.4, cacheRead: 0.005 },
  'openai/gpt-4.1': { input: 2, output: 8, cacheRead: 0.5 },
  'openai/gpt-4.1-mini': { input: 0.4, output: 1.6, cacheRead: 0.1 },
  'openai/gpt-4o': { input: 2.5, output: 10, cacheRead: 1.25 },
  'openai/gpt-4o-mini': { input: 0.15, output: 0.6, cacheRead: 0.075 },
  'anthropic/claude-opus-4-1': { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
  'anthropic/claude-sonnet-4-5': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  'anthropic/claude-haiku-4-5': { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  'google/gemini-2.5-pro': { input: 1.25, output: 10, cacheRead: 0.31 },
  'google/gemini-2.5-flash': { input: 0.3, output: 2.5, cacheRead: 0.075 },
  demo: { input: 0, output: 0 },
};

/** Returns what tokens of a model cost in US dollars by these prices or else the list prices; null when neither has it. */
export function toModelCostUsd(model: string, usage: Usage, prices: Prices = {}): number | null {
  const price: ModelPrice | undefined = Object.hasOwn(prices, model) ? prices[model] : listPrices[model];
  return toCostUsd(usage, price);
}
