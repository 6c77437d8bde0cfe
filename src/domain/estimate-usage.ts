import { measureCall, type SizedCall } from './measure-call.ts';
import type { ModelAnswer, ModelMessage, Usage } from './model.ts';
import { estimateByteTokens, estimateTextTokens } from './token-estimate.ts';
import { noUsage } from './usage.ts';

/** The parts of an answer that have tokens. */
export type AnswerParts = Pick<ModelAnswer, 'text' | 'reasoning' | 'toolCalls'>;

/**
 * Estimates the usage of a model call by the texts of its input and its answer, as if nothing was read from a cache. Reasoning
 * that the vendor does not send cannot be counted.
 */
export function estimateUsage(call: SizedCall, { text, reasoning, toolCalls }: AnswerParts): Usage {
  const { bytes, fileTokens } = measureCall({ ...call, messages: call.messages.map(toSent) });
  const calls = toolCalls.map(({ name, arguments: input, invalidArguments = '' }) =>
    input ? name + JSON.stringify(input) : name + invalidArguments,
  );
  const reasoningTokens = estimateTextTokens(reasoning);
  // No vendor writes more than the call allows.
  const limit = call.maxOutputTokens ?? Infinity;
  return {
    ...noUsage,
    inputTokens: estimateByteTokens(bytes) + fileTokens,
    outputTokens: Math.min(limit, reasoningTokens + estimateTextTokens(text + calls.join(''))),
    reasoningTokens: Math.min(limit, reasoningTokens),
    isEstimated: true,
  };
}

/** A message with content of the vendor is sent as that content. */
function toSent(message: ModelMessage): ModelMessage {
  if (message.role !== 'assistant' || message.providerContent === undefined) return message;
  return { ...message, text: '', toolCalls: [] };
}
