/** One character of a text, after escapes were read; `code` is null when it stands for nothing. */
export interface ReadCharacter {
  /** A code point, or with `isByte` one byte of UTF-8. */
  code: number | null;
  isByte: boolean;
  next: number;
}

/** How often a character may have been URL-encoded on top of itself. */
const mostEncodings = 8;

/** How many backslashes are passed over at once; an endless row of them must not be held back for ever. */
const mostBackslashes = 64;

const percent = 0x25;
const backslash = 0x5c;

function isHex(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}

/** How many hexadecimal digits stand at a place, at most so many. */
function countHex(text: string, start: number, most: number): number {
  let count = 0;
  while (count < most && isHex(text.charCodeAt(start + count))) count += 1;
  return count;
}

/** Whether a text ends in the middle of what has begun, so that more of it may come. */
function isCut(text: string, start: number, digits: number): boolean {
  return start + digits >= text.length;
}

/**
 * Reads the character at a place: as it stands, URL-encoded (also more than once), or as an escape of JSON
 * (`\u0061`, `\x61`). Null when the text ends in the middle of it; with `isWhole` there is nothing to come.
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

/** Backslashes themselves are passed over, as many as stand before what they escape. */
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

/** Characters that are not seen: joiners, marks of direction, soft hyphens. */
const invisible = /^\p{Cf}$/u;

/** The bytes that a character is compared by: without its case, in its simplest form. */
export function toComparedBytes({ code, isByte }: ReadCharacter): Uint8Array {
  if (code === null || code === backslash) return new Uint8Array();
  if (isByte || code < 0x80) return Uint8Array.of(code >= 65 && code <= 90 ? code + 32 : code);
  const character = String.fromCodePoint(code);
  if (invisible.test(character)) return new Uint8Array();
  return new TextEncoder().encode(character.normalize('NFKC').toLowerCase());
}

/** The bytes of a whole text, compared as {@link toComparedBytes} does. */
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
