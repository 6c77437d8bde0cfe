import { fileTypeFromBuffer } from 'file-type';

const unknownType = 'application/octet-stream';

/** Text files have no signature, so their name decides between kinds of text. */
const textTypes: Record<string, string> = {
  csv: 'text/csv',
  css: 'text/css',
  htm: 'text/html',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  markdown: 'text/markdown',
  md: 'text/markdown',
  log: 'text/plain',
  mjs: 'text/javascript',
  ndjson: 'application/x-ndjson',
  svg: 'image/svg+xml',
  text: 'text/plain',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};
const declaredTexts = new Set(['application/json', ...Object.values(textTypes)]);

/** Container types that several formats share. The extension of the name selects the format. */
const containers: Record<string, Record<string, string>> = {
  'application/zip': {
    docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  },
  'application/x-cfb': {
    doc: 'application/msword',
    xls: 'application/vnd.ms-excel',
    ppt: 'application/vnd.ms-powerpoint',
    msg: 'application/vnd.ms-outlook',
  },
};

/**
 * Finds the media type of a file by its first bytes. The name and the declared type only decide between kinds of text, and
 * between formats that share a container: a file that is declared as an image but is none is not shown as one.
 */
export async function detectFileType(
  head: Uint8Array,
  { name, declared }: { name: string | null; declared: string },
): Promise<string> {
  const extension = /\.([^.]+)$/.exec(name ?? '')?.[1]?.toLowerCase() ?? '';
  const found = await fileTypeFromBuffer(head);
  if (found && found.mime !== 'application/xml') return containers[found.mime]?.[extension] ?? found.mime;
  const charset = findCharset(head);
  if (charset === null) return unknownType;
  const named = findNamedText(extension, declared);
  // Bytes that are no UTF-8 may be anything, so they are text only when the name or the declared type says so.
  if (charset === 'windows-1252' && named === undefined) return unknownType;
  const type = named ?? guessText(head);
  return charset === 'utf-8' ? type : `${type}; charset=${charset}`;
}

/** The type of text by the extension, or else by the declared type; undefined for neither. */
function findNamedText(extension: string, declared: string): string | undefined {
  if (Object.hasOwn(textTypes, extension)) return textTypes[extension];
  const [type = ''] = declared.toLowerCase().split(';');
  const plain = type.trim();
  return declaredTexts.has(plain) || /^text\/[\w.+-]+$/.test(plain) ? plain : undefined;
}

function guessText(head: Uint8Array): string {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, 1024)).toString('latin1');
  if (/<svg[\s>]/.test(start)) return 'image/svg+xml';
  return start.trimStart().startsWith('<?xml') ? 'application/xml' : 'text/plain';
}

/** Control characters that text does not have: all but tab, line feed, form feed, carriage return and escape. */
// eslint-disable-next-line no-control-regex -- the characters are what is looked for
const controls = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/;

/** Finds the encoding of a text; null for bytes that are none. Older Windows programs write windows-1252. */
function findCharset(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (controls.test(Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')))
    return null;
  try {
    // As a stream: the head may end inside a character.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}
