import { withoutGaps, type WantedTexts } from './text-search.ts';

/** Shorter texts are not looked for, since ordinary text may contain them. */
export const leastLength = 4;

/** Shorter forms are looked for as they are, since words beside each other may spell them. */
const leastSpaced = 8;

/** The forms of secrets that are looked for. */
export interface SecretForms extends WantedTexts {
  exact: Set<string>;
  spaced: Set<string>;
}

/** Creates the forms of no secret. */
export function createForms(): SecretForms {
  return { exact: new Set(), spaced: new Set() };
}

/** Adds the forms of a secret. */
export function addForms({ exact, spaced }: SecretForms, secret: string): void {
  for (const form of listForms(secret)) {
    const shown = withoutGaps(form);
    const isLong = shown.length >= leastSpaced;
    if (isLong) spaced.add(shown);
    // A key may end with a line break, which is a part of it.
    if (form.length >= leastLength && (!isLong || shown !== form)) exact.add(form);
  }
}

/** Lists how programs write a text: as it is, in JSON, in a URL and a form, in hexadecimal and in base64. */
export function listForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const url = encodeURIComponent(text.toWellFormed());
  const form = new URLSearchParams({ '': text }).toString().slice(1);
  const encoded = [url, form].flatMap((one) => [one, one.replace(/%../g, (part) => part.toLowerCase())]);
  const hex = Buffer.from(text).toString('hex');
  const forms = [text, json, json.replaceAll('/', '\\/'), ...encoded, hex, hex.toUpperCase()];
  return [...new Set([...forms, ...listBase64(text)])];
}

/** Lists the base64 of a text in both alphabets, at each offset: it encodes groups of three bytes, so the offset changes it. */
function listBase64(text: string): string[] {
  const bytes = Buffer.from(text);
  const shifted = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replaceAll('=', '');
    // The characters at both ends also hold bits of the bytes before and after the text.
    const end = (offset + bytes.length) % 3 === 0 ? encoded.length : -1;
    return encoded.slice(Math.ceil((offset * 8) / 6), end);
  });
  const all = [bytes.toString('base64').replaceAll('=', ''), ...shifted];
  return [...all, ...all.map((one) => one.replaceAll('+', '-').replaceAll('/', '_'))];
}
