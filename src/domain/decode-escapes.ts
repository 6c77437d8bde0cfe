import { createViewBuilder, type TextView, type ViewBuilder } from './text-view.ts';

const percent = 0x25;
const ampersand = 0x26;
const space = 0x20;
const semicolon = 0x3b;
const backslash = 0x5c;
const closingBrace = 0x7d;

/** The longest escape that is read: `&#x10ffff;`, `\u{10ffff}` and the names of entities. */
const longestEscape = 12;

/** Added to a byte of UTF-8 that is not a character by itself, until the other bytes of its character are known. */
const byteBase = 0xdc00;

const simpleEscapes = new Map(
  Object.entries({
    n: '\n',
    r: '\r',
    t: '\t',
    b: '\b',
    f: '\f',
    '/': '/',
    '"': '"',
    "'": "'",
    '\\': '\\',
  }).map(([letter, meaning]) => [letter.charCodeAt(0), meaning.charCodeAt(0)]),
);

/** The names of entities of HTML for ASCII characters, in lower case. All others are read as a space. */
const entities = new Map(
  Object.entries({
    tab: '\t',
    newline: '\n',
    nbsp: ' ',
    excl: '!',
    quot: '"',
    num: '#',
    dollar: '$',
    percnt: '%',
    amp: '&',
    apos: "'",
    lpar: '(',
    rpar: ')',
    ast: '*',
    midast: '*',
    plus: '+',
    comma: ',',
    period: '.',
    sol: '/',
    colon: ':',
    semi: ';',
    lt: '<',
    equals: '=',
    gt: '>',
    quest: '?',
    commat: '@',
    lsqb: '[',
    lbrack: '[',
    bsol: '\\',
    rsqb: ']',
    rbrack: ']',
    hat: '^',
    lowbar: '_',
    grave: '`',
    lcub: '{',
    lbrace: '{',
    verbar: '|',
    vert: '|',
    rcub: '}',
    rbrace: '}',
  }),
);

/** Returns whether a text holds a character that can begin an escape. */
export function mayHoldEscapes(text: string): boolean {
  return /[%&\\]/.test(text);
}

/**
 * Decodes URL encoding, also as `%u0061`, the escapes of JSON, JavaScript and C (`\/`, `\u0061`, `\u{61}`, `\U00000061`, `\x61`)
 * and the entities of HTML.
 * Escapes of escapes are decoded too, however deep. The time is linear: every escape makes the text shorter.
 */
export function decodeEscapes({ text, starts, ends }: TextView): TextView {
  const builder = createViewBuilder(text.length, starts);
  for (let index = 0; index < text.length; index += 1) {
    builder.push(text.charCodeAt(index), starts[index] ?? 0, ends[index] ?? 0);
    while (decodeLast(builder, ends[index] ?? 0));
  }
  return builder.build();
}

/** Returns where an escape begins at the end of a decoded view without being complete, or null when none does. */
export function findUnfinishedEscape({ text, starts }: TextView): number | null {
  let end = text.length;
  // The `%3` of `&#90%3` may become the end of an entity, so the text before an unfinished escape is read, too.
  for (let depth = 0; depth < longestEscape; depth += 1) {
    const from = Math.max(0, end - longestEscape);
    const found = unfinished.exec(text.slice(from, end));
    if (!found) break;
    end = from + found.index;
  }
  return end < text.length ? (starts[end] ?? 0) : null;
}

const unfinished =
  /(?:%(?:[\da-f]|u[\da-f]{0,3})?|\\(?:x[\da-f]?|u[\da-f]{0,7}|u\{[\da-f]{0,6})?|&(?:#\d{0,7}|#x[\da-f]{0,6}|[a-z]{0,8})|[\udcc0-\udcff][\udc80-\udcbf]{0,2}|[\ud800-\udbff])$/i;

/** Replaces an escape at the end by its character. Returns false when there is none. */
function decodeLast(builder: ViewBuilder, end: number): boolean {
  const code = builder.last();
  if (isHex(code)) return decodeHex(builder, end);
  if (code === semicolon) return decodeEntity(builder, end);
  if (code === closingBrace) return decodeBraced(builder, end);
  if (isContinuation(code)) return decodeUtf8(builder, end);
  const meaning = builder.last(1) === backslash ? simpleEscapes.get(code) : undefined;
  return meaning !== undefined && replaceLast(builder, 2, { code: meaning, end });
}

function decodeHex(builder: ViewBuilder, end: number): boolean {
  if (!isHex(builder.last(1))) return decodeSimple(builder, end);
  if (builder.last(2) === percent)
    return replaceLast(builder, 3, { code: readHex(builder, 2), end, isByte: true });
  if (isMark(builder, 2, 'x')) return replaceLast(builder, 4, { code: readHex(builder, 2), end });
  if (isMarked(builder, 4, 'u') && areHex(builder, 2, 4))
    return replaceLast(builder, 6, { code: readHex(builder, 4), end });
  if (isMark(builder, 8, 'U') && areHex(builder, 2, 8))
    return replaceLast(builder, 10, { code: readHex(builder, 8), end });
  return decodeSimple(builder, end);
}

/** Decodes `\b` and `\f`, whose letters are hexadecimal digits too. */
function decodeSimple(builder: ViewBuilder, end: number): boolean {
  const meaning = builder.last(1) === backslash ? simpleEscapes.get(builder.last()) : undefined;
  return meaning !== undefined && replaceLast(builder, 2, { code: meaning, end });
}

/** Returns whether a backslash and a letter stand `back` places before the last character. */
function isMark(builder: ViewBuilder, back: number, letter: string): boolean {
  return builder.last(back) === letter.charCodeAt(0) && builder.last(back + 1) === backslash;
}

/** Returns whether a backslash or a percent sign and a letter stand `back` places before the last character. */
function isMarked(builder: ViewBuilder, back: number, letter: string): boolean {
  const mark = builder.last(back + 1);
  return builder.last(back) === letter.charCodeAt(0) && (mark === backslash || mark === percent);
}

function areHex(builder: ViewBuilder, from: number, end: number): boolean {
  for (let back = from; back < end; back += 1) if (!isHex(builder.last(back))) return false;
  return true;
}

function readHex(builder: ViewBuilder, digits: number): number {
  let value = 0;
  for (let back = digits - 1; back >= 0; back -= 1)
    value = value * 16 + parseInt(String.fromCharCode(builder.last(back)), 16);
  return value;
}

/** Returns the characters after the last `opening`, without the last one; null when that is too far away. */
function readBackTo(builder: ViewBuilder, opening: number): string | null {
  let text = '';
  for (let back = 1; back < longestEscape; back += 1) {
    const code = builder.last(back);
    if (code === opening) return text;
    text = String.fromCharCode(Math.max(0, code)) + text;
  }
  return null;
}

function decodeEntity(builder: ViewBuilder, end: number): boolean {
  const name = readBackTo(builder, ampersand)?.toLowerCase();
  if (name === undefined) return false;
  const code = /^#(?:\d+|x[\da-f]+)$/.test(name)
    ? Number(name.slice(1).replace('x', '0x'))
    : (entities.get(name)?.charCodeAt(0) ?? (/^[a-z]+\d*$/.test(name) ? space : undefined));
  return code !== undefined && replaceLast(builder, name.length + 2, { code, end });
}

function decodeBraced(builder: ViewBuilder, end: number): boolean {
  const digits = readBackTo(builder, backslash);
  if (digits === null || !/^u\{[\da-f]+$/i.test(digits)) return false;
  return replaceLast(builder, digits.length + 2, { code: parseInt(digits.slice(2), 16), end });
}

interface Decoded {
  code: number;
  end: number;
  /** Whether `code` is a byte of UTF-8. @default false, a code point */
  isByte?: boolean;
}

function replaceLast(builder: ViewBuilder, count: number, { code, end, isByte = false }: Decoded): boolean {
  if (code > 0x10ffff) return false;
  const start = builder.startOf(count - 1);
  builder.drop(count);
  if (isByte) builder.push(code < 0x80 ? code : byteBase + code, start, end);
  else for (const unit of toUnits(code)) builder.push(unit, start, end);
  return true;
}

function toUnits(code: number): number[] {
  if (code < 0x10000) return [code];
  return [0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff)];
}

function isHex(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}

function isContinuation(code: number): boolean {
  return code >= byteBase + 0x80 && code < byteBase + 0xc0;
}

/** Joins the last bytes to the character that they encode. Returns false when they do not. */
function decodeUtf8(builder: ViewBuilder, end: number): boolean {
  let value = builder.last() & 0x3f;
  for (let count = 2; count <= 4; count += 1) {
    const byte = builder.last(count - 1) - byteBase;
    if (byte >= 0x80 && byte < 0xc0) {
      value += (byte & 0x3f) << (6 * (count - 1));
      continue;
    }
    // The first byte of a character of two bytes begins with 110, of three with 1110, of four with 11110.
    const isFirst = byte >> (7 - count) === (1 << (count + 1)) - 2 && byte <= 0xff;
    if (!isFirst) return false;
    value += (byte & ((1 << (7 - count)) - 1)) << (6 * (count - 1));
    return replaceLast(builder, count, { code: value, end });
  }
  return false;
}
