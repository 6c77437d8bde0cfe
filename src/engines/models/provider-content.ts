import type { AssistantContent } from 'ai';
import { isJsonObject, type JsonValue } from '../../domain/json.ts';

/** A part of an assistant message that Holdfast stores, in the form of the AI SDK. */
export type ContentPart = Extract<
  Exclude<AssistantContent, string>[number],
  { type: 'text' | 'reasoning' | 'tool-call' }
>;
/** A tool call as a part of an assistant message. */
export type ToolCallPart = Extract<ContentPart, { type: 'tool-call' }>;

/**
 * Returns the parts of an answer as JSON, with the model that they belong to. Undefined when the answer holds
 * nothing beyond its text and tool calls, which are stored anyway.
 */
export function toProviderContent(model: string, parts: ContentPart[]): JsonValue | undefined {
  const needed = parts.some((part) => part.type === 'reasoning' || part.providerOptions !== undefined);
  if (!needed) return undefined;
  // The parts may hold `undefined` and other values that are not JSON; `stringify` removes them.
  return JSON.parse(JSON.stringify({ model, parts })) as JsonValue;
}

/**
 * Returns the parts that {@link toProviderContent} stored, when they belong to this model. Another model cannot use
 * signed reasoning, and some vendors refuse it.
 */
export function findContentParts(model: string, kept: JsonValue | undefined): ContentPart[] | undefined {
  if (!isJsonObject(kept) || kept['model'] !== model || !Array.isArray(kept['parts'])) return undefined;
  return kept['parts'] as unknown as ContentPart[];
}
