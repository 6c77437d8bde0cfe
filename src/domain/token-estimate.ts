import type { AgentVersion } from './agent.ts';
import { estimatePartTokens } from './estimate-part-tokens.ts';
import type { ContextPart, PartFile } from './message-part.ts';
import { listResultFiles } from './model-part.ts';
import { toReference, toShownSummary, type ContextMessage, type ContextToolCall } from './model-context.ts';
import { toModelTool } from './model-tool.ts';
import { resultReaderFunction } from './stored-result.ts';
import type { Tool } from './tool.ts';
import type { Usage } from './model.ts';

/**
 * The tokens of a byte of UTF-8 before a model has counted any. OpenAI and Google give four characters of English as the
 * rule of thumb (https://help.openai.com/en/articles/4936856, https://ai.google.dev/gemini-api/docs/tokens). Tokenizers work on
 * bytes, so that the characters of other scripts, which have two to four bytes, count for more.
 */
const defaultTokensPerByte = 0.25;

/** Estimates the tokens of so many bytes of text for a model that has counted none. */
export function estimateByteTokens(bytes: number): number {
  return Math.ceil(bytes * defaultTokensPerByte);
}

/** Estimates the tokens of a text for a model that has counted none. */
export function estimateTextTokens(text: string): number {
  return estimateByteTokens(Buffer.byteLength(text));
}

/** The lowest and the highest ratio that is accepted: beyond them a server has counted nothing, or no tokens. */
const believedRatios = { min: 0.02, max: 3 };

/** Tokens of a byte, by the name of the model that has counted them last in a conversation. */
export type TokenRatios = Readonly<Record<string, number>>;

/** A text, or several, by its length. */
export interface TextSize {
  bytes: number;
  characters: number;
}

/** The bytes with which vendors wrap a message or a call. */
const wrapperBytes = 16;

const sizes = new WeakMap<object, TextSize>();

/** Returns the size of a message as a model gets it, with its tool calls and their results. */
function measureMessage(message: ContextMessage): TextSize {
  return remembered(message, () => {
    const { role, text, parts, toolCalls, providerContent } = message;
    // A message with content of the vendor is sent as that content.
    const shown = role === 'summary' ? toShownSummary(text) : text;
    const said = providerContent === null ? shown : JSON.stringify(providerContent);
    return sum([
      measureText(said),
      ...(parts ?? []).flatMap(measurePart),
      ...(toolCalls ?? []).map(measureCall),
    ]);
  });
}

/** The texts of parts are the text of their message. A file has the size of a text with as many tokens. */
function measurePart(part: ContextPart): TextSize[] {
  if (part.type === 'text') return [];
  if (part.type === 'data') return [measureText(JSON.stringify(part.data))];
  return [measureFile(part.file)];
}

function measureFile(file: PartFile | null): TextSize {
  const bytes = Math.ceil(estimatePartTokens(file) / defaultTokensPerByte);
  return { bytes, characters: bytes };
}

/** Returns the size of messages together. */
export function measureMessages(messages: readonly ContextMessage[]): TextSize {
  let bytes = 0;
  let characters = 0;
  for (const message of messages) {
    const size = measureMessage(message);
    bytes += size.bytes;
    characters += size.characters;
  }
  return { bytes, characters };
}

/** Returns the bytes that each call of an agent's model has: its instructions and its tools. */
export function countFixedBytes({
  instructions,
  tools,
}: Pick<AgentVersion, 'instructions' | 'tools'>): number {
  return measureText(instructions).bytes + remembered(tools, () => measureTools(tools)).bytes;
}

function measureTools(tools: Tool[]): TextSize {
  const enabled = tools.filter(({ settings }) => settings?.enabled !== false);
  return sum(enabled.map((tool) => measureText(JSON.stringify(toModelTool(tool)))));
}

function measureCall(call: ContextToolCall): TextSize {
  const { arguments: input, invalidArguments, result, error, isReferenced } = call;
  // The text for agents that can read results is the longer one; sizes are kept for all versions of an agent.
  const shown = isReferenced ? toReference(call, resultReaderFunction) : (result ?? error?.message ?? '');
  const files = isReferenced ? [] : listResultFiles(call.files).map(measureFile);
  return sum([measureText(JSON.stringify(input) + (invalidArguments ?? '')), measureText(shown), ...files]);
}

function measureText(text: string): TextSize {
  return { bytes: Buffer.byteLength(text) + wrapperBytes, characters: text.length };
}

function sum(parts: TextSize[]): TextSize {
  const bytes = parts.reduce((total, part) => total + part.bytes, 0);
  return { bytes, characters: parts.reduce((total, part) => total + part.characters, 0) };
}

/** Keeps the sizes of objects that do not change, since each model call counts all messages before it. */
function remembered(key: object, measure: () => TextSize): TextSize {
  const size = sizes.get(key) ?? measure();
  sizes.set(key, size);
  return size;
}

/** Returns the tokens of a byte for a model, as it has counted them last in a conversation. */
export function findTokenRatio(ratios: TokenRatios, model: string): number {
  return ratios[model] ?? defaultTokensPerByte;
}

/**
 * Returns the tokens of a byte that a model has counted for a request of so many bytes; null when it has counted none, or not all. An
 * estimate with it is what the vendor has counted for that request, and for what came since the same tokens for each byte.
 */
export function learnTokenRatio(usage: Usage, bytes: number): number | null {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, isEstimated } = usage;
  if (isEstimated) return null;
  const ratio = (inputTokens + cacheReadTokens + cacheWriteTokens) / bytes;
  const isBelieved = ratio >= believedRatios.min && ratio <= believedRatios.max;
  return isBelieved ? Number(ratio.toPrecision(4)) : null;
}
