import { decodeEscapes, findUnfinishedEscape, mayHoldEscapes } from './decode-escapes.ts';
import { isJsonObject, type JsonValue } from './json.ts';
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

const mark = '[redacted]';

/** Shorter secrets are not redacted, since ordinary text may contain them. */
const leastLength = 4;

/** The fewest digits of base64 that are looked for with gaps between them. */
const leastDigits = 8;

/** The ways in which secrets may be written. */
interface Forms {
  plain: Set<string>;
  /** Looked for among hexadecimal digits only, in lower case. */
  hex: Set<string>;
  /** Looked for among digits of base64 only, in its first alphabet. */
  base64: Set<string>;
  /** The base64 of short secrets, in both alphabets. It is too short to be looked for with gaps. */
  short: Set<string>;
  /** The length of the shortest form. */
  shortest: number;
}

/**
 * Creates a redactor. It finds secrets as they are, in URL and form encoding, with escapes of JSON or entities of HTML,
 * in hexadecimal with or without separators, and in base64 with or without line breaks. The time is linear in the text.
 */
export function createRedactor(secrets: readonly string[] = []): Redactor {
  const forms: Forms = {
    plain: new Set(),
    hex: new Set(),
    base64: new Set(),
    short: new Set(),
    shortest: Infinity,
  };
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

function addForms(forms: Forms, secret: string): void {
  const decoded = decodeEscapes(toTextView(secret)).text;
  for (const plain of [secret, decoded, secret.replaceAll(' ', '+')]) {
    if (plain.length >= leastLength) forms.plain.add(plain);
  }
  forms.hex.add(Buffer.from(secret).toString('hex'));
  for (const form of listBase64(secret)) {
    if (form.length >= leastDigits) forms.base64.add(form);
    else for (const text of [form, toUrlAlphabet(form)]) forms.short.add(text);
  }
  const lengths = [...forms.plain, ...forms.base64, ...forms.short].map(({ length }) => length);
  forms.shortest = Math.min(...lengths);
}

function toUrlAlphabet(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

/** Lists the base64 of a secret at each offset: base64 encodes groups of three bytes, so the offset changes it. */
function listBase64(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const whole = bytes.toString('base64').replaceAll('=', '');
  const shifted = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replaceAll('=', '');
    // The characters at both ends also hold bits of the bytes before and after the secret.
    const end = (offset + bytes.length) % 3 === 0 ? text.length : -1;
    return text.slice(Math.ceil((offset * 8) / 6), end);
  });
  return [whole, ...shifted].filter(({ length }) => length >= leastLength);
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
  forms: string[];
}

/** All views of a text in which secrets are looked for. */
interface SearchedText {
  decoded: TextView;
  views: SearchedView[];
}

function toViews(forms: Forms, raw: TextView): SearchedText {
  const decoded = mayHoldEscapes(raw.text) ? decodeEscapes(raw) : raw;
  const views = [
    { view: raw, forms: [...forms.plain, ...forms.short] },
    { view: toSymbols(decoded, hexMeanings), forms: [...forms.hex] },
    { view: toSymbols(decoded, base64Meanings), forms: [...forms.base64] },
  ];
  if (decoded !== raw) views.push({ view: decoded, forms: [...forms.plain] });
  return { decoded, views };
}

function findSecrets(views: SearchedView[]): TextRange[] {
  return joinRanges(views.flatMap(({ view, forms }) => forms.flatMap((form) => findRanges(view, form))));
}

function holdsSecret(views: SearchedView[]): boolean {
  return views.some(({ view, forms }) => forms.some((form) => view.text.includes(form)));
}

/** Returns where a secret may begin whose end is missing; null when none does. */
function findUnfinished(forms: Forms, raw: TextView, { decoded, views }: SearchedText): number | null {
  const { text, starts, ends } = raw;
  const escape = findUnfinishedEscape(decoded);
  // The beginning of an escape, or of `0x`, may belong to a secret that begins before it.
  const end = escape ?? (text.endsWith('0') ? text.length - 1 : text.length);
  const shorter = end < text.length ? toViews(forms, { text: text.slice(0, end), starts, ends }).views : [];
  const begun = [...views, ...shorter].flatMap(({ view, forms: wanted }) =>
    wanted.map((form) => findBeginning(view, form)),
  );
  return begun.reduce<number | null>(
    (least, place) => (place === null ? least : Math.min(least ?? place, place)),
    escape,
  );
}

/** Splits a text before the place where a secret may begin whose end is missing, and redacts the part before it. */
function redactBeginning(forms: Forms, text: string): { redacted: string; rest: string } {
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

function redactWhole(forms: Forms, text: string): string {
  if (!holdsSecret(toViews(forms, toPlainView(text)).views)) return text;
  return replaceRanges(text, findSecrets(toViews(forms, toTextView(text)).views), mark);
}

function createStream(forms: Forms): RedactedStream {
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
