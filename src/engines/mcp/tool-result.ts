import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { isDeeperThan, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { Redact } from '../../domain/redact.ts';
import type { ToolResult } from '../../domain/tool.ts';
import { redactAnswer, redactBytes } from './redact-answer.ts';

/** A binary part of a tool's result. */
export interface BinaryPart {
  bytes: Uint8Array;
  mediaType: string;
  name?: string;
}

/** The id of a stored part, or null with the reason why it was not stored, if that is known. */
export type KeptBinary = { id: string } | { id: null; reason?: string | undefined };

/** Stores a binary part. */
export type KeepBinary = (part: BinaryPart) => Promise<KeptBinary>;

/** One part of a result: `text` for the model, `json` for programs. */
interface Part {
  text: string;
  json: JsonObject;
}

/** JSON that is nested deeper cannot be stored. */
const maxDepth = 50;

const unknownType = 'application/octet-stream';

function describeSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${Math.round(kilobytes)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

interface Body {
  kind: string;
  mimeType: string | undefined;
  base64: string;
  name?: string;
}

/** Stores a body, and returns a text and a reference that replace it in the result. */
async function keepBody({ kind, mimeType, base64, name }: Body, { keep, redact }: ResultOptions) {
  const received = Buffer.from(base64, 'base64');
  const mediaType = mimeType ?? unknownType;
  const bytes = redactBytes(received, redact);
  const kept = bytes
    ? await keep({ bytes, mediaType, ...(name === undefined ? {} : { name }) })
    : { id: null, reason: 'it holds a credential of the connection' };
  const size = (bytes ?? received).byteLength;
  const text = `[${kind} ${mimeType ?? 'of unknown type'}, ${describeSize(size)}, ${describePlace(kept)}]`;
  return { text, reference: { mimeType: mediaType, blobId: kept.id, bytes: size } };
}

function describePlace(kept: KeptBinary): string {
  if (kept.id !== null) return `file ${kept.id}`;
  return kept.reason === undefined ? 'not stored' : `not stored, because ${kept.reason}`;
}

type Kind<Type extends ContentBlock['type']> = Extract<ContentBlock, { type: Type }>;

async function ofMedia(block: Kind<'image'> | Kind<'audio'>, options: ResultOptions): Promise<Part> {
  const { type: kind, mimeType, data: base64 } = block;
  const { text, reference } = await keepBody({ kind, mimeType, base64 }, options);
  return { text, json: { type: kind, ...reference } };
}

function ofLink(link: Kind<'resource_link'>): Part {
  const type = link.mimeType === undefined ? '' : ` (${link.mimeType})`;
  const json = pick(link, ['type', 'uri', 'name', 'title', 'description', 'mimeType', 'size', 'annotations']);
  return { text: `[link to ${link.name}: ${link.uri}${type}]`, json };
}

/** Returns the named fields of an object, without those that are undefined. */
function pick<From extends object>(from: From, names: (keyof From)[]): JsonObject {
  const present = names.filter((name) => from[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, from[name]])) as JsonObject;
}

async function ofResource({ resource }: Kind<'resource'>, options: ResultOptions): Promise<Part> {
  const { uri, mimeType } = resource;
  if ('text' in resource) {
    const json = { uri, ...(mimeType === undefined ? {} : { mimeType }), text: resource.text };
    return { text: `[resource ${uri}]\n${resource.text}`, json: { type: 'resource', resource: json } };
  }
  const name = uri.split('/').at(-1) ?? uri;
  const kind = `resource ${uri}`;
  const { text, reference } = await keepBody({ kind, mimeType, base64: resource.blob, name }, options);
  return { text, json: { type: 'resource', resource: { uri, ...reference } } };
}

async function toPart(block: ContentBlock, options: ResultOptions): Promise<Part> {
  switch (block.type) {
    case 'text':
      return { text: block.text, json: { type: 'text', text: block.text } };
    case 'image':
    case 'audio':
      return ofMedia(block, options);
    case 'resource_link':
      return ofLink(block);
    case 'resource':
      return ofResource(block, options);
  }
}

/** Cuts a text between two characters, to at most `maxBytes` in UTF-8. */
function capText(text: string, maxBytes: number): { text: string; truncatedBytes?: number } {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return { text };
  const decoder = new TextDecoder();
  const kept = decoder.decode(Buffer.from(text).subarray(0, maxBytes), { stream: true });
  return { text: kept, truncatedBytes: bytes - Buffer.byteLength(kept) };
}

function toContent(result: CallToolResult, parts: Part[]): { content?: JsonObject } {
  const { structuredContent } = result;
  const isTextOnly = structuredContent === undefined && result.content.every(({ type }) => type === 'text');
  if (isTextOnly) return {};
  const structured =
    structuredContent === undefined ? {} : { structuredContent: structuredContent as JsonValue };
  return { content: { content: parts.map(({ json }) => json), ...structured } };
}

/** Replaces structured content that is nested too deep by a text that says so. */
function withoutDeepContent({ structuredContent, ...result }: CallToolResult): CallToolResult {
  if (structuredContent === undefined) return result;
  if (!isDeeperThan(structuredContent, maxDepth)) return { ...result, structuredContent };
  const text = `[structured content, left out: it is nested more than ${maxDepth} levels deep]`;
  return { ...result, content: [...result.content, { type: 'text', text }] };
}

interface ResultOptions {
  maxTextBytes: number;
  keep: KeepBinary;
  /** Redacts the server's credentials. Texts are redacted before they are cut. */
  redact: Redact;
}

/**
 * Translates an MCP result. `text`, for the model, has its texts (or its structured content as JSON when there is no
 * text) and a short description of each other part. `content` has all parts in the form of the protocol, with
 * `blobId` and `bytes` in place of each binary body; it is missing when all parts are text. An `isError` result
 * becomes a failed one.
 */
export async function toToolResult(answer: CallToolResult, options: ResultOptions): Promise<ToolResult> {
  const result = redactAnswer(withoutDeepContent(answer), options.redact);
  const parts = await Promise.all(result.content.map((block) => toPart(block, options)));
  const hasText = result.content.some((block) => block.type === 'text');
  const structured =
    hasText || result.structuredContent === undefined ? [] : [JSON.stringify(result.structuredContent)];
  const capped = capText([...structured, ...parts.map(({ text }) => text)].join('\n'), options.maxTextBytes);
  const { content } = toContent(result, parts);
  if (!result.isError)
    return { status: 'succeeded', ...capped, ...(content === undefined ? {} : { content }) };
  const message = capped.text === '' ? 'The tool failed without saying why.' : capped.text;
  const details = content === undefined ? {} : { details: content };
  return { status: 'failed', error: { code: 'TOOL_FAILED', message, ...details } };
}
