/**
 * A text that was derived from another one, such as its decoded form. The character at `index` was made from the
 * characters of the other text from `starts[index]` up to `ends[index]`. A view without places only says whether it
 * holds a text, and takes a fraction of the time to build.
 */
export interface TextView {
  text: string;
  starts: ArrayLike<number>;
  ends: ArrayLike<number>;
}

/** A part of a text, from `start` up to `end`. */
export interface TextRange {
  start: number;
  end: number;
}

/** Collects the characters of a view; the last ones can be read and taken back, as in a parser's stack. */
export interface ViewBuilder {
  push: (code: number, start: number, end: number) => void;
  /** Returns the character `back` places before the last one; -1 when there is none. */
  last: (back?: number) => number;
  /** Returns where the character `back` places before the last one starts in the other text. */
  startOf: (back: number) => number;
  drop: (count: number) => void;
  build: () => TextView;
}

/** Up to this length plain arrays are faster than typed ones, which have to be allocated. */
const shortLength = 256;

/** The `starts` and `ends` of a view without places. */
const noPlaces: ArrayLike<number> = [];

/** Creates a builder for a view of at most `capacity` characters, with places when `starts` of the text it reads has some. */
export function createViewBuilder(capacity: number, starts: ArrayLike<number>): ViewBuilder {
  if (starts === noPlaces) return createPlainBuilder(capacity);
  // Two functions, since one that writes to both kinds of arrays takes three times as long.
  return capacity <= shortLength ? createShortBuilder() : createLongBuilder(capacity);
}

function createShortBuilder(): ViewBuilder {
  const codes: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  return {
    push: (code, start, end) => {
      codes.push(code);
      starts.push(start);
      ends.push(end);
    },
    last: (back = 0) => (back < codes.length ? (codes[codes.length - 1 - back] ?? -1) : -1),
    startOf: (back) => starts[starts.length - 1 - back] ?? 0,
    drop: (count) => {
      for (const all of [codes, starts, ends]) all.length -= count;
    },
    build: () => ({ text: String.fromCharCode(...codes), starts, ends }),
  };
}

function createLongBuilder(capacity: number): ViewBuilder {
  const codes = new Uint16Array(capacity);
  const starts = new Uint32Array(capacity);
  const ends = new Uint32Array(capacity);
  let length = 0;
  return {
    push: (code, start, end) => {
      codes[length] = code;
      starts[length] = start;
      ends[length] = end;
      length += 1;
    },
    last: (back = 0) => (back < length ? (codes[length - 1 - back] ?? -1) : -1),
    startOf: (back) => starts[length - 1 - back] ?? 0,
    drop: (count) => {
      length -= count;
    },
    build: () => ({ text: Buffer.from(codes.buffer, 0, length * 2).toString('utf16le'), starts, ends }),
  };
}

/** Arrays that no builder uses at the moment: most of the time would be spent on new ones. */
const spareCodes: Uint16Array[] = [];
const leastSpare = 4_096;

function createPlainBuilder(capacity: number): ViewBuilder {
  const spare = spareCodes.pop();
  const codes = spare && spare.length >= capacity ? spare : new Uint16Array(Math.max(capacity, leastSpare));
  let length = 0;
  return {
    push: (code) => {
      codes[length] = code;
      length += 1;
    },
    last: (back = 0) => (back < length ? (codes[length - 1 - back] ?? -1) : -1),
    startOf: () => 0,
    drop: (count) => {
      length -= count;
    },
    build: () => {
      const text = Buffer.from(codes.buffer, 0, length * 2).toString('utf16le');
      spareCodes.push(codes);
      return { text, starts: noPlaces, ends: noPlaces };
    },
  };
}

/** Returns the view of a text that is the text itself. */
export function toTextView(text: string): TextView {
  const starts = new Uint32Array(text.length + 1);
  for (let index = 0; index < starts.length; index += 1) starts[index] = index;
  return { text, starts, ends: starts.subarray(1) };
}

/** Returns the view of a text that is the text itself, without places. */
export function toPlainView(text: string): TextView {
  return { text, starts: noPlaces, ends: noPlaces };
}

/** The meanings of characters that stand for no symbol. */
const symbolMeanings = {
  /** May stand between two symbols, such as white space. */
  gap: -1,
  /** Ends a row of symbols. */
  end: -2,
  /** Belongs to the symbol before it as a prefix of the next one, as the `x` of `0x5a` does. */
  prefix: -3,
} as const;

/** More characters between two symbols end the row, so that a row that was begun cannot hold back a text for ever. */
export const longestGap = 64;

/**
 * Reads the rows of symbols in a text, such as hexadecimal digits, without what stands between them. `meanings` holds
 * for each ASCII character the code of its symbol, or one of {@link symbolMeanings}; others end a row. A character with
 * the code 0 stands between two rows.
 */
export function toSymbols({ text, starts, ends }: TextView, meanings: Int16Array): TextView {
  const builder = createViewBuilder(text.length, starts);
  let gap = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    let symbol: number = code < 128 ? (meanings[code] ?? symbolMeanings.end) : symbolMeanings.end;
    if (symbol === symbolMeanings.prefix) {
      const isPrefix = builder.last() === 0x30;
      if (isPrefix) builder.drop(1);
      symbol = isPrefix ? symbolMeanings.gap : symbolMeanings.end;
    }
    if (symbol === symbolMeanings.gap && ++gap <= longestGap) continue;
    if (symbol >= 0) {
      builder.push(symbol, starts[index] ?? 0, ends[index] ?? 0);
      gap = 0;
    } else if (builder.last() !== 0) builder.push(0, starts[index] ?? 0, ends[index] ?? 0);
  }
  return builder.build();
}

/** Creates the `meanings` of an alphabet for {@link toSymbols}: `pairs` maps characters to symbols. */
export function createMeanings(pairs: Iterable<[string, string]>, gaps: string, prefixes = ''): Int16Array {
  const meanings = new Int16Array(128).fill(symbolMeanings.end);
  for (const [character, symbol] of pairs) meanings[character.charCodeAt(0)] = symbol.charCodeAt(0);
  for (const character of gaps) meanings[character.charCodeAt(0)] = symbolMeanings.gap;
  for (const character of prefixes) meanings[character.charCodeAt(0)] = symbolMeanings.prefix;
  return meanings;
}

/** Finds every place of `wanted` in a view, as ranges of the text that the view was derived from. */
export function findRanges({ text, starts, ends }: TextView, wanted: string): TextRange[] {
  const ranges: TextRange[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    ranges.push({ start: starts[at] ?? 0, end: ends[at + wanted.length - 1] ?? 0 });
  }
  return ranges;
}

/** Returns where `wanted` begins at the end of a view without being complete, or null when it does not. */
export function findBeginning({ text, starts }: TextView, wanted: string): number | null {
  const first = wanted.charAt(0);
  const from = Math.max(0, text.length - wanted.length + 1);
  for (let at = text.indexOf(first, from); at >= 0; at = text.indexOf(first, at + 1)) {
    if (wanted.startsWith(text.slice(at))) return starts[at] ?? 0;
  }
  return null;
}

/** Shorter texts may be read again with each piece. */
const shortText = 256;

/**
 * Decides when a text that was held back is read again after more of it has arrived: a long one when it is longer by a
 * quarter, so that all readings together take time that is linear in the text.
 */
export function createPace(heldCharacters = 0): (characters: number) => boolean {
  return (characters) => heldCharacters < shortText || characters > heldCharacters * 1.25;
}

/** Sorts ranges and joins those that overlap. */
export function joinRanges(ranges: TextRange[]): TextRange[] {
  const joined: TextRange[] = [];
  for (const range of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last && range.start < last.end) last.end = Math.max(last.end, range.end);
    else joined.push({ ...range });
  }
  return joined;
}

/** Replaces parts of a text by a mark. */
export function replaceRanges(text: string, ranges: TextRange[], mark: string): string {
  let replaced = '';
  let from = 0;
  for (const { start, end } of joinRanges(ranges)) {
    replaced += text.slice(from, start) + mark;
    from = end;
  }
  return replaced + text.slice(from);
}
