import { createCanaryForms, countComparedBytes, type CanaryForm, type FormMatch } from './canary-forms.ts';

/** The text that replaces a token. */
export const canaryMark = '[canary]';

/** Finds the canary tokens of an agent in texts. */
export interface CanaryDetector {
  /** Tells whether a text holds a token: in any case, in hexadecimal, base64, URL-encoded or escaped. */
  isIn: (text: string) => boolean;
  /** Counts the characters of an unfinished text before a token may begin; null when it holds a whole token. */
  countSafe: (text: string) => number | null;
  /** Replaces every token in a text. */
  redact: (text: string) => string;
}

/** Creates the detector of an agent's tokens; null when there are none, so that the checks can be left out. */
export function createCanaryDetector(tokens: string[]): CanaryDetector | null {
  const forms = tokens.filter((token) => countComparedBytes(token) > 3).flatMap(createCanaryForms);
  if (forms.length === 0) return null;
  const mayBegin = createBeginnings(forms);

  /** Returns the longest match of all forms that begins at `start`. */
  function matchAt(text: string, start: number, isWhole: boolean): FormMatch {
    const code = text.codePointAt(start) ?? 0;
    if (!mayBegin(code)) return null;
    // A row of backslashes is read from its first one.
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

/** Creates a function that tells whether a token can begin with a character, in any form; it remembers its answers. */
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
