import type { LanguageModelUsage } from 'ai';
import { capUsage, estimateUsage, type AnswerParts } from '../../domain/estimate-usage.ts';
import type { ModelCall, Usage } from '../../domain/model.ts';
import { noUsage } from '../../domain/usage.ts';

/** More tokens than any call takes; the limit keeps the sum over all calls of a turn an exact integer. */
const maxTokens = 1e12;

/**
 * Maps the usage that a vendor has reported. The AI SDK gives 0 for a count that is missing in a report, and no call has an empty
 * input: an input of 0, and an output of 0 for an answer that has content, are replaced by estimates. More tokens than were sent or may have come back are capped.
 */
export function toUsage(reported: LanguageModelUsage, call: ModelCall, answer: AnswerParts): Usage {
  const input = toInput(reported);
  const output = toOutput(reported);
  const hasInput = input.inputTokens + input.cacheReadTokens + input.cacheWriteTokens > 0;
  const hasOutput = output.outputTokens > 0 || isEmpty(answer);
  const estimated = hasInput && hasOutput ? {} : estimateUsage(call, answer);
  const usage = { ...noUsage, ...estimated, ...(hasInput && input), ...(hasOutput && output) };
  return capUsage(usage, call, answer);
}

function isEmpty({ text, reasoning, toolCalls }: AnswerParts): boolean {
  return text === '' && reasoning === '' && toolCalls.length === 0;
}

type InputUsage = Pick<Usage, 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'>;
type OutputUsage = Pick<Usage, 'outputTokens' | 'reasoningTokens'>;

function toInput({ inputTokens, inputTokenDetails }: LanguageModelUsage): InputUsage {
  const cacheReadTokens = inputTokenDetails.cacheReadTokens ?? 0;
  const cacheWriteTokens = inputTokenDetails.cacheWriteTokens ?? 0;
  const uncached = inputTokenDetails.noCacheTokens ?? (inputTokens ?? 0) - cacheReadTokens - cacheWriteTokens;
  return {
    inputTokens: toTokenCount(uncached),
    cacheReadTokens: toTokenCount(cacheReadTokens),
    cacheWriteTokens: toTokenCount(cacheWriteTokens),
  };
}

function toOutput({ outputTokens, outputTokenDetails }: LanguageModelUsage): OutputUsage {
  return {
    outputTokens: toTokenCount(outputTokens),
    reasoningTokens: toTokenCount(outputTokenDetails.reasoningTokens),
  };
}

/** Returns a valid count: servers report fractions, negative numbers and more than an integer can hold. */
function toTokenCount(reported: number | undefined): number {
  if (reported === undefined || Number.isNaN(reported)) return 0;
  return Math.min(Math.max(0, Math.round(reported)), maxTokens);
}
