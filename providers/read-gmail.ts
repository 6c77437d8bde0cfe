import { isJsonObject, type JsonObject, type JsonValue } from '../src/domain/json.ts';
import { listAt, readPath, textAt } from '../src/engines/providers/read-answer.ts';

const shownHeaders = ['From', 'To', 'Cc', 'Subject', 'Date', 'Message-ID'];

/** Reads a message of the Gmail API for a model: its headers, its text, and the names of its attachments. */
export function readGmailMessage(message: JsonValue): JsonValue {
  if (!isJsonObject(message) || !isJsonObject(message.payload)) return message;
  const { id, threadId, labelIds, snippet, payload } = message;
  const parts = listParts(payload);
  const plain = findText(parts, 'text/plain');
  const html = plain === undefined ? findText(parts, 'text/html') : undefined;
  const attachments = parts.filter((part) => textAt(part, 'filename') !== undefined).map(describeFile);
  const entries = Object.entries({ id, threadId, labelIds, snippet, ...readHeaders(payload) });
  return {
    ...(Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as JsonObject),
    ...(plain === undefined ? {} : { text: plain }),
    ...(html === undefined ? {} : { html }),
    ...(attachments.length > 0 ? { attachments } : {}),
  };
}

/** Reads a thread of the Gmail API: its messages, the oldest first. */
export function readGmailThread(thread: JsonValue): JsonValue {
  if (!isJsonObject(thread) || !Array.isArray(thread.messages)) return thread;
  return { id: thread.id ?? null, messages: thread.messages.map(readGmailMessage) };
}

/** A part of a message and the parts inside of it. */
function listParts(part: JsonValue): JsonValue[] {
  return [part, ...listAt(part, 'parts').flatMap(listParts)];
}

function findText(parts: JsonValue[], mimeType: string): string | undefined {
  const texts = parts.filter((part) => readPath(part, 'mimeType') === mimeType && isInline(part));
  const data = texts.flatMap((part) => textAt(part, 'body', 'data') ?? []);
  return data.length === 0 ? undefined : data.map(decode).join('\n');
}

function isInline(part: JsonValue): boolean {
  return textAt(part, 'filename') === undefined;
}

function decode(data: string): string {
  return Buffer.from(data, 'base64url').toString('utf8');
}

function describeFile(part: JsonValue): JsonValue {
  return {
    name: readPath(part, 'filename') ?? null,
    mediaType: readPath(part, 'mimeType') ?? null,
    bytes: readPath(part, 'body.size') ?? null,
  };
}

function readHeaders(payload: JsonObject): JsonObject {
  const headers = listAt(payload, 'headers');
  const found = shownHeaders.flatMap((name): [string, string][] => {
    const header = headers.find((one) => textAt(one, 'name')?.toLowerCase() === name.toLowerCase());
    const value = textAt(header, 'value');
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(found);
}
