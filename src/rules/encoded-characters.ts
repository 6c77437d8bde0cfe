/** One character of a text, with escapes decoded; `code` is null for a sequence that decodes to no character. */
export interface ReadCharacter {
  /** A code point, or with `isByte` one byte of UTF-8. */
  code: number | null;
  isByte: boolean;
  next: number;
}

/** How many times one character may be URL-encoded. */
const mostEncodings = 8;

/** The most backslashes in a row that are skipped; otherwise an endless row would hold back the text for ever. */
const mostBackslashes = 64;

const percent = 0x25;
const backslash = 0x5c;

function isHex(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}

/** Counts the hexadecimal digits at `start`, at most `most`. */
function countHex(text: string, start: number, most: number): number {
  let count = 0;
  while (count < most && isHex(text.charCodeAt(start + count))) count += 1;
  return count;
}

/** Tells whether the text ends inside an escape, so that its rest may follow. */
function isCut(text: string, start: number, digits: number): boolean {
  return start + digits >= text.length;
}

/**
 * Reads the character at a place: as it stands, URL-encoded (also more than once), or as an escape of JSON
 * (`\u0061`, `\x61`). Null when the text ends inside it, unless `isWhole` says that the text is complete.
 */
export function readCharacter(text: string, index: number, isWhole: boolean): ReadCharacter | null {
  const code = text.codePointAt(index) ?? 0;
  if (code === percent) return readPercent(text, index, isWhole);
  if (code === backslash) return readEscape(text, index, isWhole);
  return { code, isByte: false, next: index + (code > 0xffff ? 2 : 1) };
}

function readPercent(text: string, index: number, isWhole: boolean): ReadCharacter | null {
  const plain = { code: percent, isByte: true };
  let start = index + 1;
  for (let depth = 0; depth < mostEncodings; depth += 1) {
    const digits = countHex(text, start, 2);
    if (digits < 2) {
      return !isWhole && isCut(text, start, digits) ? null : { ...plain, next: start };
    }
    const byte = parseInt(text.slice(start, start + 2), 16);
    if (byte !== percent) return { code: byte, isByte: true, next: start + 2 };
    start += 2;
  }
  return { ...plain, next: start };
}

/** Skips all backslashes in a row, and reads the escape after them. */
function readEscape(text: string, index: number, isWhole: boolean): ReadCharacter | null {
  let start = index;
  while (start < index + mostBackslashes && text.charCodeAt(start) === backslash) start += 1;
  const kind = text[start];
  if (kind === undefined) return isWhole ? { code: null, isByte: false, next: start } : null;
  const wanted = kind === 'u' ? 4 : kind === 'x' ? 2 : 0;
  const digits = countHex(text, start + 1, wanted);
  if (!isWhole && digits < wanted && isCut(text, start + 1, digits)) return null;
  if (wanted === 0 || digits < wanted) return { code: null, isByte: false, next: start };
  const end = start + 1 + wanted;
  return { code: parseInt(text.slice(start + 1, end), 16), isByte: false, next: end };
}

/** Invisible characters: joiners, marks of direction, soft hyphens. */
const invisible = /^\p{Cf}$/u;

/** Returns the bytes that a character is compared by: in lower case and its simplest form (NFKC). */
export function toComparedBytes({ code, isByte }: ReadCharacter): Uint8Array {
  if (code === null || code === backslash) return new Uint8Array();
  if (isByte || code < 0x80) return Uint8Array.of(code >= 65 && code <= 90 ? code + 32 : code);
  const character = String.fromCodePoint(code);
  if (invisible.test(character)) return new Uint8Array();
  return new TextEncoder().encode(character.normalize('NFKC').toLowerCase());
}

/** Returns the bytes of {@link toComparedBytes} for a whole text. */
export function toComparedText(text: string): Uint8Array {
  const bytes: number[] = [];
  for (let index = 0; index < text.length;) {
    const read = readCharacter(text, index, true);
    if (!read) break;
    bytes.push(...toComparedBytes(read));
    index = read.next;
  }
  return Uint8Array.from(bytes);
}
