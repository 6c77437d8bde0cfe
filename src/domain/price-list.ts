import type { Prices } from './prices.ts';

/**
 * The list prices of the vendors in US dollars: for a million tokens, for an image of the usual size at the best quality, as
 * published on the day of `version`, without discounts for batches. `docs/prices.md` says how to update them.
 */
export const priceList: { version: string; models: Prices } = {
  version: '2025-10-01',
  models: {
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
    'openai/gpt-image-1': { input: 5, output: 40, perImage: 0.167 },
    'openai/dall-e-3': { input: 0, output: 0, perImage: 0.08 },
    'google/imagen-4.0-generate-001': { input: 0, output: 0, perImage: 0.04 },
    'openai/text-embedding-3-small': { input: 0.02, output: 0 },
    'openai/text-embedding-3-large': { input: 0.13, output: 0 },
    'openai/text-embedding-ada-002': { input: 0.1, output: 0 },
    'google/gemini-embedding-001': { input: 0.15, output: 0 },
    demo: { input: 0, output: 0 },
  },
};
