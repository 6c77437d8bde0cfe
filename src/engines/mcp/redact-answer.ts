import type { CallToolResult } from '@modelcontextprotocol/client';
import type { JsonValue } from '../../domain/json.ts';
import { redactJsonTogether, redactTogether } from '../../domain/redact-together.ts';
import { redactJson, type Redact } from '../../domain/redact.ts';

/** The fields of a part that are not redacted: its kind, and its body in base64, see {@link redactBytes}. */
const keptFields = new Set(['type', 'data', 'blob']);

function redactPart<Part extends object>(part: Part, redact: Redact): Part {
  const entries = Object.entries(part).map(([name, value]: [string, unknown]) => {
    if (keptFields.has(name)) return [name, value];
    const isResource = name === 'resource' && typeof value === 'object' && value !== null;
    return [name, isResource ? redactPart(value, redact) : redactJson(value as JsonValue, redact)];
  });
  return Object.fromEntries(entries) as Part;
}

/**
 * Redacts all texts of an answer but its binary bodies, also secrets that are split over its texts. Structured content must
 * not be nested deeply.
 */
export function redactAnswer(answer: CallToolResult, redact: Redact): CallToolResult {
  const { content, structuredContent } = answer;
  const parts = content.map((part) => redactPart(part, redact));
  const texts = redactTogether(
    parts.flatMap((part) => (part.type === 'text' ? part.text : [])),
    redact,
  ).values();
  return {
    ...answer,
    content: parts.map((part) =>
      part.type === 'text' ? { ...part, text: texts.next().value ?? part.text } : part,
    ),
    ...(structuredContent === undefined
      ? {}
      : {
          structuredContent: redactJsonTogether(structuredContent as JsonValue, redact),
        }),
  };
}

/**
 * Redacts a binary body: its text when it is UTF-8. Other bytes cannot be changed without harm, so null is returned
 * when they hold a secret. A secret in compressed bytes is not found.
 */
export function redactBytes(bytes: Buffer, redact: Redact): Buffer | null {
  const text = bytes.toString('utf8');
  if (!text.includes('\0') && Buffer.from(text).equals(bytes)) return Buffer.from(redact(text));
  const ascii = bytes.toString('latin1');
  // Without zeros, the ASCII characters of UTF-16 and UTF-32 stand side by side.
  const readings = [text, ascii, ascii.replaceAll('\0', '')];
  return readings.every((reading) => redact(reading) === reading) ? bytes : null;
}
