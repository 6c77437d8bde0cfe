import { z } from 'zod';
import type { Usage } from './model.ts';

const price = z.number().min(0).max(100_000);

/** The price of a model in US dollars, of tokens for a million of them. */
export const modelPriceSchema = z.strictObject({
  input: price,
  output: price,
  /** @default that of input */
  cacheRead: price.optional(),
  /** @default that of input */
  cacheWrite: price.optional(),
  /** For each call, beside its tokens. @default 0 */
  perCall: price.optional(),
  /** For each image that the model makes. @default 0 */
  perImage: price.optional(),
  /** The maximum number of tokens of an answer that a call under a budget may have. @default 16384 */
  maxOutputTokens: z.int().min(1).max(10_000_000).optional(),
});
export type ModelPrice = z.infer<typeof modelPriceSchema>;

/** Prices by the names of models; `*` is for every model without one. */
export const pricesSchema = z.record(z.string().min(1).max(200), modelPriceSchema);
export type Prices = z.infer<typeof pricesSchema>;

const million = 1_000_000;

/** Returns what tokens cost in US dollars; null when the model has no price. Reasoning is part of the output. */
export function toCostUsd(usage: Usage, price: ModelPrice | undefined): number | null {
  if (!price) return null;
  const { input, output, cacheRead = input, cacheWrite = input, perCall = 0 } = price;
  return (
    perCall +
    (usage.inputTokens * input +
      usage.cacheReadTokens * cacheRead +
      usage.cacheWriteTokens * cacheWrite +
      usage.outputTokens * output) /
      million
  );
}
