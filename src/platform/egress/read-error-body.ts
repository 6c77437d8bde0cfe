import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import { toOneLine } from '../../domain/text.ts';

const maxCharacters = 4_000;

/** The fields in which servers write a message: JSON-RPC, OAuth (RFC 6749), problem details (RFC 9457) and others. */
const messageFields = ['message', 'error_description', 'detail', 'error', 'title'] as const;

/**
 * Returns what a server says in the body of an answer with an error status, on one line: the message of JSON, the title
 * of a page, or the text itself; empty when it says nothing.
 */
export function readErrorBody(body: string): string {
  const text = body.trim();
  if (text.startsWith('<')) return toLine(/<title[^>]*>([^<]*)</i.exec(text)?.[1] ?? '');
  return toLine(findMessage(parseJson(text)) ?? (/^[[{]/.test(text) ? '' : text));
}

function toLine(text: string): string {
  return toOneLine(text, maxCharacters);
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function findMessage(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (!isJsonObject(value)) return undefined;
  // An object under `error` has the message; beside a text there, a description says more.
  const inner = isJsonObject(value.error) ? findMessage(value.error) : undefined;
  return inner ?? messageFields.map((name) => value[name]).find((found) => typeof found === 'string');
}
