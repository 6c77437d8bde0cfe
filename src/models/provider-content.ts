import type { AssistantContent } from 'ai';
import { isJsonObject, type JsonValue } from '../domain/json.ts';

/** The parts of an assistant message that Holdfast keeps, as the AI SDK takes them. */
export type ContentPart = Extract<
  Exclude<AssistantContent, string>[number],
  { type: 'text' | 'reasoning' | 'tool-call' }
>;
export type ToolCallPart = Extract<ContentPart, { type: 'tool-call' }>;

/**
 * What has to be kept of an answer beside text and tool calls, as JSON, with the model it belongs to.
 * Undefined when text and tool calls say all of it.
 */
export function toProviderContent(model: string, parts: ContentPart[]): JsonValue | undefined {
  const needed = parts.some((part) => part.type === 'reasoning' || part.providerOptions !== undefined);
  if (!needed) return undefined;
  // Through text, since parts may hold undefined and other values that JSON has not.
  return JSON.parse(JSON.stringify({ model, parts })) as JsonValue;
}

/**
 * The parts that {@link toProviderContent} kept, when they are of the same model. Signed reasoning is
 * worth nothing to another model, and some refuse it.
 */
export function findContentParts(model: string, kept: JsonValue | undefined): ContentPart[] | undefined {
  if (!isJsonObject(kept) || kept['model'] !== model || !Array.isArray(kept['parts'])) return undefined;
  return kept['parts'] as unknown as ContentPart[];
}
