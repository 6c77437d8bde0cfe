import { listForms } from '../../domain/secret-forms.ts';
import {
  findTexts,
  findUnfinished,
  holdsText,
  replaceRanges,
  toSmallLetters,
  withoutGaps,
} from '../../domain/text-search.ts';

/** The text that replaces a token. */
export const canaryMark = '[canary]';

/** The fewest characters of a token that are compared; a shorter one would match in ordinary text. */
export const leastTokenCharacters = 8;

/**
 * Finds the canary tokens of an agent in texts: in any case, with white space or invisible characters in them, and as
 * programs write them, such as in base64. It is an alarm and no barrier: any cipher hides a token.
 */
export interface CanaryDetector {
  /** Returns whether a text holds a token. */
  isIn: (text: string) => boolean;
  /** Counts the characters of an unfinished text before a token may begin; null when it holds a whole token. */
  countSafe: (text: string) => number | null;
  /** Replaces every token in a text. */
  redact: (text: string) => string;
}

/** Counts the characters of a token that are compared. */
export function countComparedCharacters(token: string): number {
  return withoutGaps(token).length;
}

/** Caches detectors by their tokens, since every step of a turn needs that of its agent several times. */
const known = new Map<string, CanaryDetector>();
const mostKnown = 500;

/** Returns the detector of an agent's tokens; null when there are none, so that the checks can be left out. */
export function createCanaryDetector(tokens: string[]): CanaryDetector | null {
  if (tokens.length === 0) return null;
  const key = JSON.stringify(tokens);
  const detector = known.get(key) ?? createDetector(tokens);
  if (known.size >= mostKnown) known.clear();
  known.set(key, detector);
  return detector;
}

function createDetector(tokens: string[]): CanaryDetector {
  const written = tokens.flatMap((token) => [token, token.toLowerCase(), token.toUpperCase()]);
  const forms = written.flatMap(listForms).map((form) => toSmallLetters(withoutGaps(form)));
  const spaced = new Set(forms.filter(({ length }) => length >= leastTokenCharacters));
  const wanted = { exact: new Set<string>(), spaced, ignoresCase: true };
  const isIn = (text: string) => holdsText(wanted, text);
  return {
    isIn,
    countSafe: (text) => (isIn(text) ? null : (findUnfinished(wanted, text) ?? text.length)),
    redact: (text) => replaceRanges(text, findTexts(wanted, text), canaryMark),
  };
}
