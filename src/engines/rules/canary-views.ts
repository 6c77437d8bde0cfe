import { decodeEscapes, findUnfinishedEnd, mayHoldEscapes, pushByte } from '../../domain/decode-escapes.ts';
import {
  createMeanings,
  createViewBuilder,
  dropShortRows,
  longestGap,
  toSymbols,
  type TextView,
  type ViewBuilder,
} from '../../domain/text-view.ts';
import { toVisible, withoutTags } from './visible-characters.ts';

/** The fewest characters of a token that are compared; a shorter one would match in ordinary text. */
export const leastTokenCharacters = 8;

/** How a token is compared: by its letters and digits, or by all of its visible characters. */
export type Comparison = 'letters' | 'visible';

/** The readings of a text in which a token may be found. */
export interface CanaryViews {
  /** The characters that are compared, in lower case. */
  texts: Record<Comparison, TextView[]>;
  /** Where characters begin that are not complete, when the text is not whole: escapes, numbers and encoded bytes. */
  open: number[];
}

/** Which readings of a text are wanted. */
export interface ViewOptions {
  comparisons: Comparison[];
  /** Whether the text is complete. Otherwise it is read without an escape or a number that has only begun, too. */
  isWhole: boolean;
}

/** How many encodings inside one another are read, beside escapes. */
const deepest = 2;

/**
 * Reads a text in every way in which a token may be written: with its escapes decoded, and as hexadecimal, base64 or
 * numbers of characters, also inside one another. The time is linear in the text, since the depth is limited.
 */
export function toCanaryViews(text: TextView, options: ViewOptions): CanaryViews {
  const views: CanaryViews = { texts: { letters: [], visible: [] }, open: [] };
  addViews(views, text, { ...options, depth: 0 });
  return views;
}

interface Place extends ViewOptions {
  depth: number;
}

function addViews(views: CanaryViews, text: TextView, place: Place): void {
  const hasEscapes = mayHoldEscapes(text.text);
  // Decoding may join the beginning of a token with what stands before it, so the text is read as it is, too.
  if (hasEscapes) addTexts(views, toVisible(text), place);
  const decoded = hasEscapes ? decodeEscapes(text) : text;
  addReading(views, decoded, place);
  const untagged = withoutTags(decoded);
  if (untagged) addReading(views, untagged, place);
}

function addReading(views: CanaryViews, decoded: TextView, place: Place): void {
  const visible = toVisible(decoded);
  addTexts(views, visible, place);
  if (!place.isWhole) addShorter(views, decoded, place);
  if (place.depth < deepest) addEncoded(views, visible, place);
}

/** Adds the text without an escape or number at its end that hides the beginning of a token before it. */
function addShorter(views: CanaryViews, decoded: TextView, place: Place): void {
  const cut = findUnfinishedEnd(decoded.text);
  if (cut === decoded.text.length) return;
  const { text, starts, ends } = decoded;
  views.open.push(starts[cut] ?? 0);
  const visible = toVisible({ text: text.slice(0, cut), starts, ends });
  addTexts(views, visible, place);
  addNumbers(views, visible, place);
}

function addTexts(views: CanaryViews, visible: TextView, { comparisons }: Place): void {
  for (const comparison of comparisons) views.texts[comparison].push(toCompared[comparison](visible));
}

function addEncoded(views: CanaryViews, visible: TextView, place: Place): void {
  for (const { meanings, bits, values, offsets, shortestRow } of digitForms) {
    const digits = dropShortRows(toSymbols(visible, meanings), place.isWhole ? shortestRow : 1);
    if (digits.text.length === 0) continue;
    // The last digit may hold the first bits of a byte.
    const last = digits.text.length - 1;
    if (!place.isWhole && digits.text.charCodeAt(last) > 0) views.open.push(digits.starts[last] ?? 0);
    for (const offset of offsets) {
      const leastRow = place.isWhole ? leastTokenCharacters : 1;
      const text = decodeBits(digits, { bits, values, offset, leastRow });
      if (text.text.length > 0) addViews(views, text, { ...place, depth: place.depth + 1 });
    }
  }
  addNumbers(views, visible, place);
}

function addNumbers(views: CanaryViews, visible: TextView, place: Place): void {
  const numbers = decodeNumbers(visible);
  if (numbers.text.length > 0) addTexts(views, toVisible(numbers), place);
}

/** Keeps letters and digits, in lower case. A character with the code 0 stands for a long gap. */
function toLetters({ text, starts, ends }: TextView): TextView {
  const builder = createViewBuilder(text.length, starts);
  let gap = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = lower(text.charCodeAt(index));
    const isLetter = code >= 128 || (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
    if (!isLetter && ++gap <= longestGap && code !== 0) continue;
    if (isLetter) gap = 0;
    builder.push(isLetter ? code : 0, starts[index] ?? 0, ends[index] ?? 0);
  }
  return builder.build();
}

function toLowerCase({ text, starts, ends }: TextView): TextView {
  const builder = createViewBuilder(text.length, starts);
  let gap = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = lower(text.charCodeAt(index));
    const isSpace = code === 0x20 || (code >= 9 && code <= 13);
    if (isSpace && ++gap <= longestGap) continue;
    if (!isSpace) gap = 0;
    builder.push(isSpace ? 0 : code, starts[index] ?? 0, ends[index] ?? 0);
  }
  return builder.build();
}

const toCompared = { letters: toLetters, visible: toLowerCase };

function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

/** An alphabet of digits of `bits` bits each. */
interface DigitForm {
  meanings: Int16Array;
  bits: number;
  values: Int16Array;
  /** Where in the first digit of a row a byte may begin, or how many bits of the row come before it. */
  offsets: number[];
  /** Shorter rows hold no token. */
  shortestRow: number;
}

const hexDigits = '0123456789abcdef';
const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const base64Digits = `${capitals}${capitals.toLowerCase()}0123456789+/`;
const gaps = ' \t\r\n!"#$%&\'()*,.:;<>?@[\\]^`{|}~';

const digitForms: DigitForm[] = [
  createDigitForm(hexDigits, { ABCDEF: 'abcdef' }, `${gaps}+-/=_`, 'xX'),
  createDigitForm(base64Digits, { '-_': '+/' }, gaps, ''),
];

function createDigitForm(
  ...[digits, twins, between, prefixes]: [string, Record<string, string>, string, string]
): DigitForm {
  const same = Array.from(digits, (digit): [string, string] => [digit, digit]);
  const others = Object.entries(twins).flatMap(([from, to]) =>
    Array.from(from, (digit, index): [string, string] => [digit, to.charAt(index)]),
  );
  const bits = Math.log2(digits.length);
  const values = new Int16Array(128);
  for (let value = 0; value < digits.length; value += 1) values[digits.charCodeAt(value)] = value;
  return {
    meanings: createMeanings([...same, ...others], between, prefixes),
    bits,
    values,
    offsets: bits === 4 ? [0, 4] : [0, 2, 4, 6],
    shortestRow: Math.ceil((leastTokenCharacters * 8) / bits),
  };
}

interface BitsOptions extends Pick<DigitForm, 'bits' | 'values'> {
  /** How many bits of each row belong to the byte before it. */
  offset: number;
  /** Shorter rows of text are left out. */
  leastRow: number;
}

/** Decodes rows of digits to the text that their bytes are in UTF-8. */
function decodeBits(digits: TextView, options: BitsOptions): TextView {
  const { text, starts, ends } = digits;
  const builder = createViewBuilder(text.length, starts);
  for (let from = 0; from <= text.length; from += 1) {
    const zero = text.indexOf('\0', from);
    const end = zero < 0 ? text.length : zero;
    addBytes(builder, digits, { ...options, from, end });
    if (end < text.length) builder.push(0, starts[end] ?? 0, ends[end] ?? 0);
    from = end;
  }
  return dropShortRows(builder.build(), options.leastRow);
}

/** A row of digits, from the digit at `from` up to the one at `end`. */
interface DigitRow extends BitsOptions {
  from: number;
  end: number;
}

/** Adds the bytes of a row, without those between bytes which are surely no UTF-8 that are too few. */
function addBytes(builder: ViewBuilder, { text, starts, ends }: TextView, row: DigitRow): void {
  const bytes = toBytes(text, row);
  const add = (first: number, last: number) => {
    for (let index = first; index < last; index += 1) {
      const digit = row.from + Math.floor((row.offset + index * 8) / row.bits);
      pushByte(builder, bytes[index] ?? 0, { start: starts[digit] ?? 0, end: ends[digit + 1] ?? 0 });
    }
    if (last < bytes.length) builder.push(0, 0, 0);
  };
  let first = 0;
  let before = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    const goesOn = byte >= 0x80 && byte < 0xc0;
    const isWrong = byte >= 0xf8 || (goesOn && before < 0x80);
    // The byte before begins a character, and this one does not continue with it.
    const isCut = before >= 0xc0 && !goesOn;
    const end = isCut ? index - 1 : index;
    if ((isWrong || isCut) && end - first >= row.leastRow) add(first, end);
    if (isCut) first = index;
    if (isWrong) first = index + 1;
    before = isWrong ? 0 : byte;
  }
  // The last row may continue.
  if (bytes.length - first >= row.leastRow || row.end === text.length) add(first, bytes.length);
}

function toBytes(text: string, { bits, values, offset, from, end }: DigitRow): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, Math.floor(((end - from) * bits - offset) / 8)));
  let buffer = 0;
  let count = -offset;
  let length = 0;
  for (let index = from; index < end; index += 1) {
    buffer = ((buffer << bits) | (values[text.charCodeAt(index)] ?? 0)) & 0x3fff;
    count += bits;
    if (count < 8) continue;
    count -= 8;
    // Every second byte of UTF-16 is 0.
    bytes[length] = (buffer >> count) & 0xff || 0x20;
    length += 1;
  }
  return bytes;
}

/** The most digits of the number of a character. */
const longestNumber = 7;

/** Reads the numbers in a text as those of characters, as in `[90, 101]` or `chr(90)+chr(101)`. */
function decodeNumbers({ text, starts, ends }: TextView): TextView {
  const builder = createViewBuilder(text.length, starts);
  const numbers = /\d+/g;
  let last = 0;
  for (let found = numbers.exec(text); found; found = numbers.exec(text)) {
    const [number] = found;
    const code = number.length <= longestNumber ? Number(number) : 0;
    const start = starts[found.index] ?? 0;
    const end = ends[numbers.lastIndex - 1] ?? 0;
    if (found.index - last > longestGap) builder.push(0, start, start);
    for (const unit of String.fromCodePoint(code > 0x10ffff ? 0 : code).split(''))
      builder.push(unit.charCodeAt(0), start, end);
    last = numbers.lastIndex;
  }
  return builder.build();
}
