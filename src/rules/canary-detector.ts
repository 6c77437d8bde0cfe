import { createCanaryForms, countComparedBytes, type CanaryForm, type FormMatch } from './canary-forms.ts';

/** What takes the place of a token. */
export const canaryMark = '[canary]';

/** Finds planted texts wherever they turn up. */
export interface CanaryDetector {
  /** Whether a text holds a token: in any case, in hexadecimal, base64, URL-encoded or escaped. */
  isIn: (text: string) => boolean;
  /** How much of an unfinished text may be shown, since no token has begun in it; null when it holds one. */
  countSafe: (text: string) => number | null;
  /** The text with every token replaced. */
  redact: (text: string) => string;
}

/** Builds the detector of an agent's tokens; null when it has none, so that nothing has to be looked at. */
export function createCanaryDetector(tokens: string[]): CanaryDetector | null {
  const forms = tokens.filter((token) => countComparedBytes(token) > 3).flatMap(createCanaryForms);
  if (forms.length === 0) return null;
  const mayBegin = createBeginnings(forms);

  /** The longest match of all forms at a place. */
  function matchAt(text: string, start: number, isWhole: boolean): FormMatch {
    const code = text.codePointAt(start) ?? 0;
    if (!mayBegin(code)) return null;
    // A row of backslashes is read as a whole, from its first.
    if (code === 0x5c && text.charCodeAt(start - 1) === 0x5c) return null;
    let longest: FormMatch = null;
    for (const form of forms) {
      const match = form.matchAt(text, start, isWhole);
      if (typeof match === 'number') longest = Math.max(match, typeof longest === 'number' ? longest : 0);
      else longest ??= match;
    }
    return longest;
  }

  return {
    isIn: (text) => {
      for (let start = 0; start < text.length; start += 1) {
        if (matchAt(text, start, true) !== null) return true;
      }
      return false;
    },
    countSafe: (text) => {
      let safe = text.length;
      for (let start = 0; start < text.length; start += 1) {
        const match = matchAt(text, start, false);
        if (typeof match === 'number') return null;
        if (match === 'begun') safe = Math.min(safe, start);
      }
      return safe;
    },
    redact: (text) => {
      let redacted = '';
      let last = 0;
      for (let start = 0; start < text.length; start += 1) {
        const end = matchAt(text, start, true);
        if (typeof end !== 'number') continue;
        redacted += text.slice(last, start) + canaryMark;
        last = end;
        start = end - 1;
      }
      return redacted + text.slice(last);
    },
  };
}

/** Tells which characters a token can begin with in any form; each is looked at once. */
function createBeginnings(forms: CanaryForm[]): (code: number) => boolean {
  const known = new Map<number, boolean>();
  return (code) => {
    let begins = known.get(code);
    if (begins === undefined) {
      const character = String.fromCodePoint(code);
      begins = /[%\\]/.test(character) || forms.some((form) => form.matchAt(character, 0, false) !== null);
      known.set(code, begins);
    }
    return begins;
  };
}
