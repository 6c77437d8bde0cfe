import { RE2JS } from 're2js';

/** A piece of a text, from `start` to before `end`. */
export interface FoundValue {
  start: number;
  end: number;
  kind: string;
}

/** Finds values of one kind in texts. */
export interface ValuePattern {
  kind: string;
  find: (text: string) => FoundValue[];
}

/**
 * Creates a pattern from a regular expression in the syntax of RE2, which is matched in linear time.
 * @throws Error when it is not one
 */
export function createPattern({ name, pattern }: { name: string; pattern: string }): ValuePattern {
  let expression: RE2JS;
  try {
    expression = RE2JS.compile(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`masking rules: pattern "${name}": expected a regular expression of RE2: ${reason}`, {
      cause: error,
    });
  }
  return { kind: name, find: (text) => findAll(expression, name, text) };
}

function findAll(expression: RE2JS, kind: string, text: string): FoundValue[] {
  const matcher = expression.matcher(text);
  const found: FoundValue[] = [];
  while (matcher.find()) {
    if (matcher.end() > matcher.start()) found.push({ start: matcher.start(), end: matcher.end(), kind });
  }
  return found;
}

interface CheckedPattern {
  kind: string;
  /** Finds candidates; each has a bounded length, since it is cut at its end until it is valid. */
  pattern: string;
  /** The fewest characters of a value. */
  least: number;
  isValid: (text: string) => boolean;
}

/**
 * Creates a pattern whose matches are checked. A match may extend into the text after the value, so its shorter beginnings
 * are tried too. A value has no letter or digit right before or after it.
 */
function createCheckedPattern({ kind, pattern, least, isValid }: CheckedPattern): ValuePattern {
  const expression = RE2JS.compile(pattern);
  return {
    kind,
    find: (text) => {
      const matcher = expression.matcher(text);
      const found: FoundValue[] = [];
      for (let from = 0; from < text.length && matcher.find(from);) {
        const start = matcher.start();
        const end = isFree(text, start) ? findEnd(text, { start, end: matcher.end(), least, isValid }) : null;
        if (end !== null) found.push({ start, end, kind });
        from = end ?? findFree(text, start + 1);
      }
      return found;
    },
  };
}

const before = /[\p{L}\p{N}_.-]/u;
/** A sign between two numbers continues with the first one, as in the ids of machines. */
const after = /^(?:[\p{L}\p{N}_]|[-.][\p{L}\p{N}])/u;

function isFree(text: string, start: number): boolean {
  return start === 0 || !before.test(text.charAt(start - 1));
}

/** The next place at which a value may begin: within a long number there is none. */
function findFree(text: string, from: number): number {
  let place = from;
  while (place < text.length && !isFree(text, place)) place += 1;
  return place;
}

function findEnd(
  text: string,
  { start, end, least, isValid }: { start: number; end: number } & Pick<CheckedPattern, 'least' | 'isValid'>,
): number | null {
  for (let last = end; last >= start + least; last -= 1) {
    const isWhole = !after.test(text.slice(last, last + 2));
    if (isWhole && /\w$/.test(text.charAt(last - 1)) && isValid(text.slice(start, last))) return last;
  }
  return null;
}

function toDigits(text: string): string {
  return text.replaceAll(/\D/g, '');
}

/** ISO/IEC 7812-1, annex B. */
function isLuhnValid(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, index) => {
      const doubled = Number(digit) * 2;
      return total + (index % 2 === 0 ? Number(digit) : doubled > 9 ? doubled - 9 : doubled);
    }, 0);
  return sum % 10 === 0;
}

function isCard(text: string): boolean {
  const digits = toDigits(text);
  return /^[2-6]\d{12,18}$/.test(digits) && isLuhnValid(digits);
}

/** ISO 13616: the first four characters move to the end, letters count from 10, and the rest by 97 is 1. */
function isIban(text: string): boolean {
  const compact = text.replaceAll(' ', '');
  if (compact.length < 15 || compact.length > 34) return false;
  const rotated = compact.slice(4) + compact.slice(0, 4);
  const rest = Array.from(rotated).reduce((sum, character) => {
    const number = parseInt(character, 36);
    return (sum * (number > 9 ? 100 : 10) + number) % 97;
  }, 0);
  return rest === 1;
}

function isAddress(text: string): boolean {
  return text.split('.').every((part) => Number(part) <= 255);
}

const american = /^\(?\d{3}\)?[ .-]{1,2}\d{3}[ .-]\d{4}$/;
const date = /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}/;

/** A number with a country code (E.164), a national one that begins with 0, or an American one with separators. */
function isPhone(text: string): boolean {
  const { length } = toDigits(text);
  if (length > 15 || date.test(text)) return false;
  if (text.startsWith('+') || /^00[1-9]/.test(text)) return length >= 8;
  return american.test(text) || (/^\(?0[1-9]/.test(text) && length >= 9);
}

/** The patterns that rules may name. */
export const builtInPatterns: readonly ValuePattern[] = [
  createPattern({
    name: 'email',
    pattern: "[\\pL\\pN._%+'-]+@[\\pL\\pN-]+(?:\\.[\\pL\\pN-]+)+",
  }),
  createCheckedPattern({
    kind: 'phone',
    pattern: '[+(]?[0-9][0-9 ().\\/-]{5,22}[0-9]',
    least: 8,
    isValid: isPhone,
  }),
  createCheckedPattern({
    kind: 'iban',
    pattern: '[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}',
    least: 15,
    isValid: isIban,
  }),
  createCheckedPattern({
    kind: 'credit_card',
    pattern: '[0-9](?:[ -]?[0-9]){12,18}',
    least: 13,
    isValid: isCard,
  }),
  createCheckedPattern({
    kind: 'ipv4',
    pattern: '[0-9]{1,3}(?:\\.[0-9]{1,3}){3}',
    least: 7,
    isValid: isAddress,
  }),
];
