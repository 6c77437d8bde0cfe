import { decodeEscapes } from './decode-escapes.ts';
import {
  createMeanings,
  createViewBuilder,
  longestGap,
  toSymbols,
  toTextView,
  type TextView,
} from './text-view.ts';
import { createWantedTexts, type WantedTexts } from './wanted-texts.ts';

/** Shorter secrets are not redacted, since ordinary text may contain them. */
export const leastLength = 4;

/** The fewest characters that are looked for with gaps between them. */
const leastSpaced = 8;

/** The ways in which secrets may be written. */
export interface SecretForms {
  plain: Set<string>;
  /** Looked for among the characters that {@link withoutGaps} leaves. */
  spaced: Set<string>;
  /** Looked for among hexadecimal digits only, in lower case. */
  hex: Set<string>;
  /** Looked for among digits of base64 only, in its first alphabet. */
  base64: Set<string>;
  /** The base64 of short secrets, in both alphabets. It is too short to be looked for with gaps. */
  short: Set<string>;
  /** The length of the shortest form. */
  shortest: number;
  /** The forms as they are searched for, until a secret is added. */
  searched: SearchedForms | null;
}

/** The forms to look for in each view of a text. */
export interface SearchedForms {
  raw: WantedTexts;
  decoded: WantedTexts;
  spaced: WantedTexts;
  hex: WantedTexts;
  base64: WantedTexts;
}

/** Prepares the search for the forms of all secrets. */
export function getSearchedForms(forms: SecretForms): SearchedForms {
  forms.searched ??= {
    raw: createWantedTexts([...forms.plain, ...forms.short]),
    decoded: createWantedTexts(forms.plain),
    spaced: createWantedTexts(forms.spaced),
    hex: createWantedTexts(forms.hex),
    base64: createWantedTexts(forms.base64),
  };
  return forms.searched;
}

/** Creates the forms of no secret. */
export function createForms(): SecretForms {
  const [plain, spaced, hex, base64, short] = Array.from({ length: 5 }, () => new Set<string>());
  return { plain, spaced, hex, base64, short, shortest: Infinity, searched: null } as SecretForms;
}

/** Adds all forms of a secret. */
export function addForms(forms: SecretForms, secret: string): void {
  const decoded = decodeEscapes(toTextView(secret)).text;
  for (const plain of [secret, decoded, secret.replaceAll(' ', '+')]) {
    if (plain.length >= leastLength) forms.plain.add(plain);
    const spaced = withoutGaps(toTextView(plain)).text;
    if (spaced.length >= leastSpaced) forms.spaced.add(spaced);
  }
  const hex = Buffer.from(secret).toString('hex');
  const base64 = listBase64(secret);
  forms.hex.add(hex);
  for (const form of base64) {
    if (form.length >= leastSpaced) forms.base64.add(form);
    else for (const text of [form, toUrlAlphabet(form)]) forms.short.add(text);
  }
  addTwiceEncoded(forms, [hex, hex.toUpperCase(), ...base64, ...base64.map(toUrlAlphabet)]);
  const lengths = [...forms.plain, ...forms.base64, ...forms.short].map(({ length }) => length);
  forms.shortest = Math.min(...lengths);
  forms.searched = null;
}

/** Adds the encoded forms of texts that are encoded themselves. */
function addTwiceEncoded(forms: SecretForms, encoded: string[]): void {
  for (const text of new Set(encoded)) {
    if (text.length < leastSpaced) continue;
    forms.hex.add(Buffer.from(text).toString('hex'));
    for (const form of listBase64(text)) forms.base64.add(form);
  }
}

function toUrlAlphabet(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

/** Lists the base64 of a secret at each offset: base64 encodes groups of three bytes, so the offset changes it. */
export function listBase64(secret: string): string[] {
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

const letters = 'abcdefghijklmnopqrstuvwxyz';
const base64Digits = `${letters}${letters.toUpperCase()}0123456789+/`;
const base64Meanings = createMeanings(toPairs(`${base64Digits}-_`, `${base64Digits}+/`), ' \t\r\n');

/** Pairs each character with the symbol that it stands for. */
export function toPairs(characters: string, symbols: string): [string, string][] {
  return Array.from(characters, (character, index) => [character, symbols.charAt(index)]);
}

/** Keeps the digits of base64, in its first alphabet; white space may stand between them. */
export function toBase64Digits(view: TextView): TextView {
  return toSymbols(view, base64Meanings);
}

/** The characters that may stand between those of a secret that is spelled: spaces, quotes, commas, and invisible ones. */
const gaps = new Uint8Array(0x10000);
for (const gap of ' \t\r\n,"\'|\u00a0\u00ad\u200b\u200c\u200d\u2060\ufeff') gaps[gap.charCodeAt(0)] = 1;

/** Leaves out what may stand between the characters of a secret. A character with the code 0 stands for a long gap. */
export function withoutGaps({ text, starts, ends }: TextView): TextView {
  const builder = createViewBuilder(text.length, starts);
  let gap = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const isGap = gaps[code] === 1;
    if (isGap && ++gap !== longestGap) continue;
    if (!isGap) gap = 0;
    builder.push(isGap ? 0 : code, starts[index] ?? 0, ends[index] ?? 0);
  }
  return builder.build();
}
