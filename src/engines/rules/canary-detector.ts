import { decodeEscapes } from '../../domain/decode-escapes.ts';
import {
  findBeginning,
  findRanges,
  joinRanges,
  replaceRanges,
  toPlainView,
  toTextView,
  type TextRange,
  type TextView,
} from '../../domain/text-view.ts';
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
  /** Returns whether a text holds a token, as it is or encoded. */
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

/** Caches detectors by their tokens, since every step of a turn needs that of its agent several times. */
const known = new Map<string, CanaryDetector | null>();
const mostKnown = 500;

/** Returns the detector of an agent's tokens; null when there are none, so that the checks can be left out. */
export function createCanaryDetector(tokens: string[]): CanaryDetector | null {
  if (tokens.length === 0) return null;
  const key = JSON.stringify(tokens);
  const before = known.get(key);
  if (before !== undefined) return before;
  if (known.size >= mostKnown) known.clear();
  const detector = createDetector(tokens);
  known.set(key, detector);
  return detector;
}

function createDetector(tokens: string[]): CanaryDetector | null {
  const wanted = toWanted(tokens);
  const comparisons = (['letters', 'visible'] as const).filter((comparison) => wanted[comparison].length > 0);
  if (comparisons.length === 0) return null;
  const whole = { wanted, comparisons, isWhole: true };

  function isIn(text: string): boolean {
    return listParts(text).some((from) => {
      const views = toCanaryViews(toPlainView(toPart(text, from)), whole);
      return listSearches(views, wanted).some(([view, one]) => view.text.includes(one));
    });
  }

  function find(text: string): TextRange[] {
    // Few texts hold a token, and places take most of the time.
    if (!isIn(text)) return [];
    const ranges = listParts(text).flatMap((from) =>
      findTokens(toPart(text, from), whole).ranges.map(({ start, end }) => ({
        start: start + from,
        end: end + from,
      })),
    );
    return joinRanges(ranges);
  }

  return {
    isIn,
    find,
    countSafe: (text) => {
      const isLong = text.length > mostHeld;
      if (isLong && isIn(text)) return null;
      const part = text.slice(-mostHeld);
      const { ranges, views } = findTokens(part, { wanted, comparisons, isWhole: false });
      if (ranges.length > 0) return null;
      return text.length - part.length + countSafe(part, views, wanted);
    },
    redact: (text) => replaceRanges(text, find(text), canaryMark),
  };
}

/** Lists where the parts of a text begin. */
function listParts(text: string): number[] {
  const count = Math.max(1, Math.ceil((text.length - overlapCharacters) / partCharacters));
  return Array.from({ length: count }, (_, index) => index * partCharacters);
}

function toPart(text: string, from: number): string {
  return text.slice(from, from + partCharacters + overlapCharacters);
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
