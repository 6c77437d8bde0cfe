import type { Usage } from './model.ts';

/** The tokens of a turn before its first model call. */
export const noUsage: Usage = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

/** Returns the sums of two counts of tokens, which are estimates when one of them is. */
export function addUsage(before: Usage, more: Usage): Usage {
  return {
    inputTokens: before.inputTokens + more.inputTokens,
    cacheReadTokens: before.cacheReadTokens + more.cacheReadTokens,
    cacheWriteTokens: before.cacheWriteTokens + more.cacheWriteTokens,
    outputTokens: before.outputTokens + more.outputTokens,
    reasoningTokens: before.reasoningTokens + more.reasoningTokens,
    ...((before.isEstimated || more.isEstimated) && { isEstimated: true }),
  };
}

/** Returns the share of the input that a vendor has read from its cache, from 0 to 1; null without input. */
export function toCacheHitRate({
  inputTokens,
  cacheReadTokens,
  cacheWriteTokens,
}: Pick<Usage, 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'>): number | null {
  const read = inputTokens + cacheReadTokens + cacheWriteTokens;
  return read === 0 ? null : cacheReadTokens / read;
}

/** Returns the number of tokens that count for the limit of a turn. Reasoning tokens are among those of the output. */
export function countTokens({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens }: Usage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens + outputTokens;
}
