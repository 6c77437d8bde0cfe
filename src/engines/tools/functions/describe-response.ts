import type { ToolResult } from '../../../domain/tool.ts';
import type { CappedBody } from '../../../platform/egress/capped-body.ts';

/** The headers of an HTTP answer that the model gets. */
const shownHeaders = [
  'content-type',
  'content-length',
  'location',
  'retry-after',
  'etag',
  'last-modified',
  'link',
  'www-authenticate',
  'x-request-id',
];

const textType = /^text\/|[/+](json|xml|yaml|javascript|x-www-form-urlencoded|x-ndjson)\b|^image\/svg/i;

function decodeText({ bytes, truncated }: CappedBody, contentType: string): string | null {
  const declared = /charset="?([^";\s]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  const isText = contentType === '' || textType.test(contentType);
  try {
    // Without a declared type only what really is UTF-8 counts as text.
    const decoder = new TextDecoder(declared, { fatal: contentType === '' });
    const text = decoder.decode(bytes, { stream: truncated });
    return isText && !text.includes('\0') ? text : null;
  } catch {
    return null;
  }
}

function describeBody(response: Response, body: CappedBody): string {
  const contentType = response.headers.get('content-type') ?? '';
  const text = decodeText(body, contentType);
  if (text !== null) return body.truncated ? `${text}\n[the answer is longer; the rest was not read]` : text;
  const size = `${body.truncated ? 'over ' : ''}${body.bytes.byteLength} bytes`;
  return `[binary ${contentType || 'data'}, ${size}]`;
}

/** Describes an HTTP answer as text: its status line, the headers that are shown, and the text of its body. */
export function describeResponse(response: Response, body: CappedBody): ToolResult {
  const headers = shownHeaders
    .filter((name) => response.headers.has(name))
    .map((name) => `${name}: ${response.headers.get(name) ?? ''}`);
  const head = [`HTTP ${response.status} ${response.statusText}`.trim(), ...headers].join('\n');
  const text = body.bytes.byteLength === 0 ? head : `${head}\n\n${describeBody(response, body)}`;
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const truncatedBytes =
    body.truncated && length > body.bytes.byteLength ? length - body.bytes.byteLength : 0;
  return { status: 'succeeded', text, ...(truncatedBytes > 0 ? { truncatedBytes } : {}) };
}
