import { unreadable } from './unreadable.ts';

const byteOrderMarks: [number[], string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/**
 * Decodes bytes by their byte order mark, else as UTF-8, else in the encoding that an HTML document names, else as
 * windows-1252, which older Windows programs write.
 * @throws HoldfastError `DOCUMENT_UNREADABLE` for bytes that are not text
 */
export function decodeText(bytes: Uint8Array): string {
  const mark = byteOrderMarks.find(([start]) => start.every((byte, index) => bytes[index] === byte));
  if (mark) return new TextDecoder(mark[1]).decode(bytes);
  if (bytes.subarray(0, 8192).includes(0)) {
    throw unreadable('Expected text, Markdown, HTML, PDF or DOCX; found a binary file of another kind.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(findNamedEncoding(bytes)).decode(bytes);
  }
}

function findNamedEncoding(bytes: Uint8Array): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  const name = /<meta[^>]{0,200}charset\s{0,9}=\s{0,9}["']?([\w-]{1,40})/i.exec(start)?.[1];
  try {
    return new TextDecoder(name).encoding === 'utf-8' ? 'windows-1252' : new TextDecoder(name).encoding;
  } catch {
    return 'windows-1252';
  }
}
