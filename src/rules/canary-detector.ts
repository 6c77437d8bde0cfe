import { decodeEscapes } from '../domain/decode-escapes.ts';
import {
  findBeginning,
  findRanges,
  joinRanges,
  replaceRanges,
  toTextView,
  type TextRange,
  type TextView,
} from '../domain/text-view.ts';
import {
  leastTokenCharacters,
  toCanaryViews,
  type CanaryViews,
  type Comparison,
  type ViewOptions,
} from './canary-views.ts';

/** The text that replaces a token. */
export const canaryMark = '[canary]';

/** Finds the canary tokens of an agent in texts. */
export interface CanaryDetector {
  /** Tells whether a text holds a token, as it is or encoded. */
  isIn: (text: string) => boolean;
  /** Finds the places of all tokens. */
  find: (text: string) => TextRange[];
  /** Counts the characters of an unfinished text before a token may begin; null when it holds a whole token. */
  countSafe: (text: string) => number | null;
  /** Replaces every token in a text. */
  redact: (text: string) => string;
}

/** The texts to look for in the views of a text. */
type WantedTexts = Record<Comparison, string[]>;

/** Counts the characters of a token that are compared. */
export function countComparedCharacters(token: string): number {
  return readToken(token, 'visible').at(-1)?.length ?? 0;
}

/** Reads a token as it is, and with its escapes decoded. */
function readToken(token: string, comparison: Comparison): string[] {
  const plain = toTextView(token);
  const options = { comparisons: [comparison], isWhole: true };
  return [plain, decodeEscapes(plain)].map(
    (text) => toCanaryViews(text, options).texts[comparison][0]?.text ?? '',
  );
}

/** Tokens with few letters and digits are compared by all of their visible characters. */
function toWanted(tokens: string[]): WantedTexts {
  const letters = new Set<string>();
  const visible = new Set<string>();
  for (const token of tokens) {
    const long = readToken(token, 'letters').filter(({ length }) => length >= leastTokenCharacters);
    for (const text of long) letters.add(text);
    // Tokens of agents that were made before there was a least length may be a little shorter.
    const all = readToken(token, 'visible').filter(({ length }) => length > 3);
    if (long.length === 0) for (const text of all) visible.add(text);
  }
  return { letters: [...letters], visible: [...visible] };
}

/** A long text is read in parts, which bounds the memory, and overlap by more than a token can be long. */
const partCharacters = 65_536;
const overlapCharacters = 16_384;

/** The most characters that are held back: an escape of escapes has no end. */
const mostHeld = 8_192;

/** Creates the detector of an agent's tokens; null when there are none, so that the checks can be left out. */
export function createCanaryDetector(tokens: string[]): CanaryDetector | null {
  const wanted = toWanted(tokens);
  const comparisons = (['letters', 'visible'] as const).filter((comparison) => wanted[comparison].length > 0);
  if (comparisons.length === 0) return null;

  function find(text: string): TextRange[] {
    const ranges: TextRange[] = [];
    for (let from = 0; from === 0 || from + overlapCharacters < text.length; from += partCharacters) {
      const part = text.slice(from, from + partCharacters + overlapCharacters);
      for (const { start, end } of findTokens(part, { wanted, comparisons, isWhole: true }).ranges)
        ranges.push({ start: start + from, end: end + from });
    }
    return joinRanges(ranges);
  }

  return {
    isIn: (text) => find(text).length > 0,
    find,
    countSafe: (text) => {
      const isLong = text.length > mostHeld;
      if (isLong && find(text).length > 0) return null;
      const part = text.slice(-mostHeld);
      const { ranges, views } = findTokens(part, { wanted, comparisons, isWhole: false });
      if (ranges.length > 0) return null;
      return text.length - part.length + countSafe(part, views, wanted);
    },
    redact: (text) => replaceRanges(text, find(text), canaryMark),
  };
}

interface SearchOptions extends ViewOptions {
  wanted: WantedTexts;
}

function findTokens(text: string, options: SearchOptions): { ranges: TextRange[]; views: CanaryViews } {
  const views = toCanaryViews(toTextView(text), options);
  const ranges = listSearches(views, options.wanted).flatMap(([view, one]) => findRanges(view, one));
  return { ranges, views };
}

function listSearches({ texts }: CanaryViews, wanted: WantedTexts): [TextView, string][] {
  return (['letters', 'visible'] as const).flatMap((comparison) =>
    wanted[comparison].flatMap((one) => texts[comparison].map((view): [TextView, string] => [view, one])),
  );
}

/** Counts the characters before the place where a token may begin whose end is missing. */
function countSafe(text: string, views: CanaryViews, wanted: WantedTexts): number {
  const begun = listSearches(views, wanted).map(([view, one]) => findBeginning(view, one));
  return [...begun, ...views.open].reduce<number>(
    (least, place) => Math.min(least, place ?? least),
    text.length,
  );
}
