import { decodeEscapes, mayHoldEscapes } from './decode-escapes.ts';
import { isJsonObject, type JsonValue } from './json.ts';
import {
  addForms,
  createForms,
  getSearchedForms,
  leastLength,
  toBase64Digits,
  toPairs,
  withoutGaps,
  type SecretForms,
} from './secret-forms.ts';
import { findForms, findUnfinishedForm, type ToViews } from './text-search.ts';
import { createMeanings, createPace, replaceRanges, toSymbols } from './text-view.ts';

/**
 * Replaces the secrets in a text by `[redacted]`. With `isCut` the text is the beginning of a longer one, so an end that
 * may be the beginning of a secret is left out.
 */
export type Redact = (text: string, options?: { isCut?: boolean }) => string;

/** Redacts a growing set of secrets. */
export interface Redactor {
  add: (secrets: readonly string[]) => void;
  redact: Redact;
  /** Creates a redactor for a text that arrives in pieces. */
  createStream: () => RedactedStream;
}

/** Redacts a text that arrives in pieces. */
export interface RedactedStream {
  /** Takes the next piece, and returns the text that may be shown now; an end that may begin a secret is held back. */
  push: (piece: string) => string;
  /** Returns the rest of the text. */
  end: () => string;
}

/** Stands for a secret. */
export const mark = '[redacted]';

/**
 * Creates a redactor. It finds secrets as they are, in URL and form encoding, with escapes of JSON or entities of HTML,
 * in hexadecimal with or without separators, in base64 with or without line breaks, in one of these two within the
 * other or itself, and with spaces, quotes and commas between their characters. The time is linear in the text.
 */
export function createRedactor(secrets: readonly string[] = []): Redactor {
  const forms = createForms();
  const add = (more: readonly string[]) => {
    for (const secret of more) if (secret.length >= leastLength) addForms(forms, secret);
  };
  add(secrets);
  return {
    add,
    redact: (text, { isCut = false } = {}) => {
      if (forms.plain.size === 0) return text;
      if (isCut) return redactBeginning(forms, text).redacted;
      if (text.length < forms.shortest) return text;
      return redactWhole(forms, text);
    },
    createStream: () => createStream(forms),
  };
}

/** Redacts all texts of a JSON value, including the names of fields. */
export function redactJson(value: JsonValue, redact: Redact): JsonValue {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((part) => redactJson(part, redact));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [redact(name), redactJson(part, redact)]),
  );
}

const hexMeanings = createMeanings(
  toPairs('0123456789abcdefABCDEF', '0123456789abcdefabcdef'),
  ' \t\r\n,:;-_.[]"\'',
  'xX',
);

function toViewsOf(forms: SecretForms): ToViews {
  const wanted = getSearchedForms(forms);
  return (raw) => {
    const decoded = mayHoldEscapes(raw.text) ? decodeEscapes(raw) : raw;
    const views = [
      { view: raw, forms: wanted.raw },
      { view: toSymbols(decoded, hexMeanings), forms: wanted.hex },
      { view: toBase64Digits(decoded), forms: wanted.base64 },
      { view: withoutGaps(decoded), forms: wanted.spaced },
    ];
    if (decoded !== raw) views.push({ view: decoded, forms: wanted.decoded });
    return { decoded, views };
  };
}

/** Splits a text before the place where a secret may begin whose end is missing, and redacts the part before it. */
function redactBeginning(forms: SecretForms, text: string): { redacted: string; rest: string } {
  const toViews = toViewsOf(forms);
  const secrets = findForms(toViews, text);
  const unfinished = findUnfinishedForm(toViews, text) ?? text.length;
  const end = secrets.find((one) => one.start < unfinished && unfinished < one.end)?.start ?? unfinished;
  const before = secrets.filter((one) => one.end <= end);
  return { redacted: replaceRanges(text.slice(0, end), before, mark), rest: text.slice(end) };
}

function redactWhole(forms: SecretForms, text: string): string {
  return replaceRanges(text, findForms(toViewsOf(forms), text), mark);
}

function createStream(forms: SecretForms): RedactedStream {
  let held = '';
  let isDue = createPace();
  return {
    push: (piece) => {
      if (forms.plain.size === 0) return piece;
      held += piece;
      if (!isDue(held.length)) return '';
      const { redacted, rest } = redactBeginning(forms, held);
      held = rest;
      isDue = createPace(held.length);
      return redacted;
    },
    end: () => {
      const rest = held;
      held = '';
      return redactWhole(forms, rest);
    },
  };
}
