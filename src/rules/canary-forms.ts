import { readCharacter, toComparedBytes, toComparedText } from './encoded-characters.ts';

/** A match at a place of a text: the index of its end, `begun` when more text may complete it, or null. */
export type FormMatch = number | 'begun' | null;

/** One way of writing a token. */
export interface CanaryForm {
  /** Matches at `start`. With `isWhole` the text is complete, so the match is never `begun`. */
  matchAt: (text: string, start: number, isWhole: boolean) => FormMatch;
}

/** The fewest bytes of a token after its escapes are decoded; a shorter one would match in ordinary text. */
export const leastTokenBytes = 8;

/** Counts the bytes of a token that are compared. */
export function countComparedBytes(token: string): number {
  return toComparedText(token).length;
}

/** Creates the forms of a token: as it is, in hexadecimal, and in base64 at each offset in a group of three bytes. */
export function createCanaryForms(token: string): CanaryForm[] {
  const bytes = new TextEncoder().encode(token);
  const symbols = [createHexForm(bytes), ...[0, 1, 2].map((offset) => createBase64Form(bytes, offset))];
  return [createPlainForm(toComparedText(token)), ...symbols.map(createSymbolForm)];
}

const space = 0x20;
const spaces = new Set([0x20, 0x09, 0x0a, 0x0d]);
const plus = 0x2b;

function isSame(expected: number, found: number): boolean {
  return expected === found || (expected === space && (found === plus || spaces.has(found)));
}

/** The most characters that a match may skip, such as invisible ones and gaps. */
const mostSkipped = 200;

/** Creates the form of the token itself, in any case, URL-encoded or escaped. */
function createPlainForm(expected: Uint8Array): CanaryForm {
  return {
    matchAt: (text, start, isWhole) => {
      let matched = 0;
      let skipped = 0;
      for (let index = start; matched < expected.length;) {
        if (index >= text.length) return isWhole ? null : 'begun';
        const read = readCharacter(text, index, isWhole);
        if (!read) return 'begun';
        const bytes = toComparedBytes(read);
        if (bytes.length === 0 && (matched === 0 || ++skipped > mostSkipped)) return null;
        for (const byte of bytes) {
          if (matched < expected.length && !isSame(expected[matched] ?? -1, byte)) return null;
          matched += 1;
        }
        index = read.next;
        if (matched >= expected.length) return index;
      }
      return null;
    },
  };
}

/** A token in an alphabet of digits: `mask` has the bits of each digit that belong to the token, `value` their values. */
interface SymbolForm {
  digits: { mask: number; value: number }[];
  valueOf: (code: number) => number;
  /** Tells whether a character may stand between digits. */
  isGap: (code: number) => boolean;
}

function createSymbolForm({ digits, valueOf, isGap }: SymbolForm): CanaryForm {
  return {
    matchAt: (text, start, isWhole) => {
      let matched = 0;
      let skipped = 0;
      for (let index = start; ;) {
        if (index >= text.length) return isWhole ? null : 'begun';
        const read = readCharacter(text, index, isWhole);
        if (!read) return 'begun';
        const code = read.code ?? space;
        const digit = digits[matched];
        const value = valueOf(code);
        if (value >= 0 && digit && (value & digit.mask) === digit.value) matched += 1;
        else if (matched === 0 || !isGap(code) || ++skipped > mostSkipped) return null;
        index = read.next;
        if (matched === digits.length) return index;
      }
    },
  };
}

const hexAlphabet = '0123456789abcdef';
const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Creates a function that returns the value of a digit in one of the alphabets; -1 for any other character. */
function createValues(...alphabets: string[]): (code: number) => number {
  const values = new Int8Array(128).fill(-1);
  for (const alphabet of alphabets) {
    for (let value = 0; value < alphabet.length; value += 1) values[alphabet.charCodeAt(value)] = value;
  }
  return (code) => (code < 128 ? (values[code] ?? -1) : -1);
}

const hexValueOf = createValues(hexAlphabet, hexAlphabet.toUpperCase());
const base64ValueOf = createValues(base64Alphabet, `${base64Alphabet.slice(0, -2)}-_`);

/** White space and the separators of hexadecimal bytes. */
const hexGaps = new Set([...spaces, 0x2c, 0x2d, 0x3a]);

/** Returns the bits of a byte that identify its character without its case. */
function maskOf(byte: number): number {
  const lower = byte | 0x20;
  return lower >= 97 && lower <= 122 ? 0xdf : 0xff;
}

function createHexForm(bytes: Uint8Array): SymbolForm {
  const digits = [...bytes].flatMap((byte) =>
    [4, 0].map((shift) => {
      const mask = (maskOf(byte) >> shift) & 15;
      return { mask, value: (byte >> shift) & mask };
    }),
  );
  return { digits, valueOf: hexValueOf, isGap: (code) => hexGaps.has(code) };
}

/** Creates the base64 form; `offset` is how many bytes precede the token in its group of three. */
function createBase64Form(bytes: Uint8Array, offset: number): SymbolForm {
  const masks = [...new Array<number>(offset).fill(0), ...[...bytes].map(maskOf)];
  const values = [...new Array<number>(offset).fill(0), ...bytes];
  const digits = [];
  // The digits before the offset hold no bits of the token.
  for (let digit = offset; digit * 6 < values.length * 8; digit += 1) {
    const mask = sextetOf(masks, digit);
    digits.push({ mask, value: sextetOf(values, digit) & mask });
  }
  return { digits, valueOf: base64ValueOf, isGap: (code) => spaces.has(code) };
}

function sextetOf(bytes: number[], digit: number): number {
  const bit = digit * 6;
  const first = Math.floor(bit / 8);
  const pair = ((bytes[first] ?? 0) << 8) | (bytes[first + 1] ?? 0);
  return (pair >> (10 - (bit % 8))) & 63;
}
