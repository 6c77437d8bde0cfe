import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import type { ToolResult } from '../domain/tool.ts';

function describeSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${Math.round(kilobytes)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

function describeBase64(kind: string, mimeType: string | undefined, data: string): string {
  return `[${kind} ${mimeType ?? 'of unknown type'}, ${describeSize(Buffer.byteLength(data, 'base64'))}]`;
}

function toText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return describeBase64(block.type, block.mimeType, block.data);
    case 'resource_link':
      return `[link to ${block.name}: ${block.uri}]`;
    case 'resource':
      return 'text' in block.resource
        ? `[resource ${block.resource.uri}]\n${block.resource.text}`
        : describeBase64(`resource ${block.resource.uri}`, block.resource.mimeType, block.resource.blob);
  }
}

/** Cuts a text to a number of bytes in UTF-8, between two characters. */
function capText(text: string, maxBytes: number): { text: string; truncatedBytes?: number } {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return { text };
  const decoder = new TextDecoder();
  const kept = decoder.decode(Buffer.from(text).subarray(0, maxBytes), { stream: true });
  return { text: kept, truncatedBytes: bytes - Buffer.byteLength(kept) };
}

/**
 * What the model is told of an MCP result: its texts, else its structured content as JSON, and a few words for
 * each part that is no text. An `isError` result is the tool's own "no".
 */
export function toToolResult(result: CallToolResult, maxTextBytes: number): ToolResult {
  const hasText = result.content.some((block) => block.type === 'text');
  const structured = hasText || result.structuredContent === undefined ? [] : [result.structuredContent];
  const parts = [...structured.map((value) => JSON.stringify(value)), ...result.content.map(toText)];
  const capped = capText(parts.join('\n'), maxTextBytes);
  if (!result.isError) return { status: 'succeeded', ...capped };
  const message = capped.text === '' ? 'The tool failed without saying why.' : capped.text;
  return { status: 'failed', error: { code: 'TOOL_FAILED', message } };
}
