import { measureCall, wrapperTokens, type SizedCall } from './measure-call.ts';
import type { ModelAnswer, ModelCall, ModelMessage, Usage } from './model.ts';
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
  const reasoningTokens = estimateTextTokens(reasoning);
  // No vendor writes more than the call allows.
  const limit = call.maxOutputTokens ?? Infinity;
  return {
    ...noUsage,
    inputTokens: estimateByteTokens(bytes) + fileTokens,
    outputTokens: Math.min(limit, reasoningTokens + estimateTextTokens(text + joinCalls(toolCalls))),
    reasoningTokens: Math.min(limit, reasoningTokens),
    isEstimated: true,
  };
}

/** The tokens that vendors add to a call besides its texts, at most, such as their own instructions about tools. */
const vendorTokens = 1_024;

/** More tokens than any model writes in one answer. */
const mostWritten = 1_000_000;

/**
 * Caps a usage that a vendor has reported, and marks it as estimated when it was capped: a token is at least one byte of
 * what was sent, and of what came back unless the vendor keeps reasoning to itself.
 */
export function capUsage(
  usage: Usage,
  call: SizedCall & Pick<ModelCall, 'reasoningEffort'>,
  answer: AnswerParts,
): Usage {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage;
  const mostInput = isWithin(inputTokens + cacheReadTokens + cacheWriteTokens, call)
    ? Infinity
    : countMostInput(call);
  const mostOutput = countMostOutput(call, answer);
  const read = Math.min(cacheReadTokens, mostInput);
  const written = Math.min(cacheWriteTokens, mostInput - read);
  const capped = {
    inputTokens: Math.min(inputTokens, mostInput - read - written),
    cacheReadTokens: read,
    cacheWriteTokens: written,
    outputTokens: Math.min(outputTokens, mostOutput),
    reasoningTokens: Math.min(reasoningTokens, mostOutput),
  };
  const isSame = Object.entries(capped).every(
    ([name, tokens]) => usage[name as keyof typeof capped] === tokens,
  );
  return isSame ? usage : { ...usage, ...capped, isEstimated: true };
}

/** Returns whether a count is surely not too large, which the lengths of the texts show without measuring the whole call. */
function isWithin(tokens: number, { instructions, messages }: SizedCall): boolean {
  const characters = messages.reduce((sum, { text }) => sum + text.length, instructions.length);
  return tokens <= characters + vendorTokens;
}

function countMostInput(call: SizedCall): number {
  const { bytes, texts, fileTokens, fileBytes } = measureCall(call);
  return vendorTokens + bytes + texts * wrapperTokens + Math.max(fileBytes, 4 * fileTokens);
}

function countMostOutput(
  { maxOutputTokens, reasoningEffort }: Pick<ModelCall, 'maxOutputTokens' | 'reasoningEffort'>,
  { text, reasoning, toolCalls }: AnswerParts,
): number {
  // Some vendors add the tokens of the reasoning that was asked for to the limit of the call.
  const limit = reasoningEffort === undefined ? (maxOutputTokens ?? mostWritten) : mostWritten;
  return Math.max(limit, Buffer.byteLength(text + reasoning + joinCalls(toolCalls)));
}

function joinCalls(toolCalls: AnswerParts['toolCalls']): string {
  return toolCalls
    .map(({ name, arguments: input, invalidArguments = '' }) =>
      input ? name + JSON.stringify(input) : name + invalidArguments,
    )
    .join('');
}

/** A message with content of the vendor is sent as that content. */
function toSent(message: ModelMessage): ModelMessage {
  if (message.role !== 'assistant' || message.providerContent === undefined) return message;
  return { ...message, text: '', toolCalls: [] };
}
