import { decodeEscapes, findUnfinishedEscape, mayHoldEscapes } from './decode-escapes.ts';
import { isJsonObject, type JsonValue } from './json.ts';
import {
  addForms,
  createForms,
  getSearchedForms,
  leastLength,
  withoutGaps,
  type SecretForms,
} from './secret-forms.ts';
import {
  createMeanings,
  createPace,
  findBeginning,
  findRanges,
  joinRanges,
  replaceRanges,
  toPlainView,
  toSymbols,
  toTextView,
  type TextRange,
  type TextView,
} from './text-view.ts';
import type { WantedTexts } from './wanted-texts.ts';

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

const hexDigits = '0123456789abcdef';
const letters = 'abcdefghijklmnopqrstuvwxyz';
const base64Digits = `${letters}${letters.toUpperCase()}0123456789+/`;

function toPairs(characters: string, symbols = characters): [string, string][] {
  return Array.from(characters, (character, index) => [character, symbols.charAt(index)]);
}

const hexMeanings = createMeanings(
  [...toPairs(hexDigits), ...toPairs('ABCDEF', 'abcdef')],
  ' \t\r\n,:;-_.[]"\'',
  'xX',
);
const base64Meanings = createMeanings([...toPairs(base64Digits), ...toPairs('-_', '+/')], ' \t\r\n');

/** A view of a text, and the forms to look for in it. */
interface SearchedView {
  view: TextView;
  forms: WantedTexts;
}

/** All views of a text in which secrets are looked for. */
interface SearchedText {
  decoded: TextView;
  views: SearchedView[];
}

function toViews(forms: SecretForms, raw: TextView): SearchedText {
  const wanted = getSearchedForms(forms);
  const decoded = mayHoldEscapes(raw.text) ? decodeEscapes(raw) : raw;
  const views = [
    { view: raw, forms: wanted.raw },
    { view: toSymbols(decoded, hexMeanings), forms: wanted.hex },
    { view: toSymbols(decoded, base64Meanings), forms: wanted.base64 },
    { view: withoutGaps(decoded), forms: wanted.spaced },
  ];
  if (decoded !== raw) views.push({ view: decoded, forms: wanted.decoded });
  return { decoded, views };
}

function findSecrets(views: SearchedView[]): TextRange[] {
  return joinRanges(views.flatMap(({ view, forms }) => forms.list.flatMap((form) => findRanges(view, form))));
}

function holdsSecret(views: SearchedView[]): boolean {
  return views.some(({ view, forms }) => forms.areIn(view.text));
}

/** Returns where a secret may begin whose end is missing; null when none does. */
function findUnfinished(forms: SecretForms, raw: TextView, { decoded, views }: SearchedText): number | null {
  const { text, starts, ends } = raw;
  const escape = findUnfinishedEscape(decoded);
  // The beginning of an escape, or of `0x`, may belong to a secret that begins before it.
  const end = escape ?? (text.endsWith('0') ? text.length - 1 : text.length);
  const shorter = end < text.length ? toViews(forms, { text: text.slice(0, end), starts, ends }).views : [];
  const begun = [...views, ...shorter].flatMap(({ view, forms: wanted }) =>
    wanted.list.map((form) => findBeginning(view, form)),
  );
  return begun.reduce<number | null>(
    (least, place) => (place === null ? least : Math.min(least ?? place, place)),
    escape,
  );
}

/** Splits a text before the place where a secret may begin whose end is missing, and redacts the part before it. */
function redactBeginning(forms: SecretForms, text: string): { redacted: string; rest: string } {
  const plain = toPlainView(text);
  const searchedPlain = toViews(forms, plain);
  // Few texts hold a secret or the beginning of one, and places take most of the time.
  if (!holdsSecret(searchedPlain.views) && findUnfinished(forms, plain, searchedPlain) === null)
    return { redacted: text, rest: '' };
  const raw = toTextView(text);
  const searched = toViews(forms, raw);
  const secrets = findSecrets(searched.views);
  const unfinished = findUnfinished(forms, raw, searched) ?? text.length;
  const end = secrets.find((one) => one.start < unfinished && unfinished < one.end)?.start ?? unfinished;
  const before = secrets.filter((one) => one.end <= end);
  return { redacted: replaceRanges(text.slice(0, end), before, mark), rest: text.slice(end) };
}

function redactWhole(forms: SecretForms, text: string): string {
  if (!holdsSecret(toViews(forms, toPlainView(text)).views)) return text;
  return replaceRanges(text, findSecrets(toViews(forms, toTextView(text)).views), mark);
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
