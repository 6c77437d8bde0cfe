import type { Usage } from '../../domain/model.ts';

/** The counts of tokens that `turns`, `usage` and `compactions` have. */
export interface TokenColumns {
  input_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
}

/** The columns of a usage that `turns`, `usage` and `compactions` have. */
export interface UsageColumns extends TokenColumns {
  /** Whether the vendor has not reported all of the counts. */
  usage_estimated: boolean;
}

/** Adds the usage of a model call to its turn: items of a SET, with the parameters of {@link toUsageBindings} and `:credits`. */
export const addedUsage = `input_tokens = input_tokens + :inputTokens,
    cache_read_tokens = cache_read_tokens + :cacheReadTokens,
    cache_write_tokens = cache_write_tokens + :cacheWriteTokens,
    output_tokens = output_tokens + :outputTokens,
    reasoning_tokens = reasoning_tokens + :reasoningTokens,
    usage_estimated = usage_estimated OR :isEstimated::boolean,
    credits = credits + coalesce(:credits::bigint, 0)`;

/** The parameters of a statement that stores a usage. */
export function toUsageBindings(usage: Usage) {
  return { ...usage, isEstimated: usage.isEstimated ?? false };
}

/** The usage of a row. */
export function toUsage(row: UsageColumns): Usage {
  return {
    inputTokens: row.input_tokens,
    cacheReadTokens: row.cache_read_tokens,
    cacheWriteTokens: row.cache_write_tokens,
    outputTokens: row.output_tokens,
    reasoningTokens: row.reasoning_tokens,
    ...(row.usage_estimated && { isEstimated: true }),
  };
}
