import { decodeEscapes, mayHoldEscapes } from '../../domain/decode-escapes.ts';
import { listBase64, toBase64Digits } from '../../domain/secret-forms.ts';
import { findForms, findUnfinishedForm, holdsForm, type ToViews } from '../../domain/text-search.ts';
import { replaceRanges, toTextView } from '../../domain/text-view.ts';
import { createWantedTexts } from '../../domain/wanted-texts.ts';
import { holdsTags, toCompared, type Comparison } from './compared-characters.ts';

/** The text that replaces a token. */
export const canaryMark = '[canary]';

/** The fewest characters of a token that are compared; a shorter one would match in ordinary text. */
export const leastTokenCharacters = 8;

/**
 * Finds the canary tokens of an agent in texts: in any case, with spaces, punctuation or invisible characters in them,
 * in tag characters, with escapes of URLs, JSON or HTML, in hexadecimal and in base64.
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
  return readToken(token, 'visible').at(-1)?.length ?? 0;
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

/** The most characters that are held back: an escape of escapes has no end. */
const mostHeld = 8_192;

function createDetector(tokens: string[]): CanaryDetector {
  const toViews = createToViews(tokens);
  const isIn = (text: string) => holdsForm(toViews, text);
  return {
    isIn,
    countSafe: (text) => {
      if (isIn(text)) return null;
      return Math.max(findUnfinishedForm(toViews, text) ?? text.length, text.length - mostHeld);
    },
    redact: (text) => replaceRanges(text, findForms(toViews, text), canaryMark),
  };
}

function createToViews(tokens: string[]): ToViews {
  const encoded = tokens.flatMap((token) => [token, token.toLowerCase(), token.toUpperCase()]);
  const base64 = createWantedTexts(encoded.flatMap(listBase64));
  const hex = encoded.map((one) => Buffer.from(one).toString('hex'));
  const words = tokens.flatMap((token) => readToken(token, 'letters'));
  const letters = createWantedTexts([...words.filter(isLong), ...hex]);
  const visible = createWantedTexts(tokens.flatMap(listVisible));
  return (raw) => {
    const decoded = mayHoldEscapes(raw.text) ? decodeEscapes(raw) : raw;
    // Decoding may join the beginning of a token with the text before it, so the text is read as it is, too.
    const texts = decoded === raw ? [raw] : [raw, decoded];
    const views = texts.map((text) => ({ view: toCompared(text, 'letters'), forms: letters }));
    if (holdsTags(decoded.text)) views.push({ view: toCompared(decoded, 'tags'), forms: letters });
    if (visible.list.length > 0)
      views.push(...texts.map((text) => ({ view: toCompared(text, 'visible'), forms: visible })));
    return { decoded, views: [...views, { view: toBase64Digits(decoded), forms: base64 }] };
  };
}

/** Reads a token as it is, and with its escapes decoded. */
function readToken(token: string, comparison: Comparison): string[] {
  const plain = toTextView(token);
  return [plain, decodeEscapes(plain)].map((text) => toCompared(text, comparison).text);
}

function isLong({ length }: string): boolean {
  return length >= leastTokenCharacters;
}

/** Tokens with few letters and digits are compared by all of their visible characters. */
function listVisible(token: string): string[] {
  return readToken(token, 'letters').some(isLong) ? [] : readToken(token, 'visible').filter(isLong);
}
