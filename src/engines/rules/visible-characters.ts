import { createViewBuilder, type TextView } from '../../domain/text-view.ts';

/** Tag characters, which are invisible copies of ASCII: U+E0020 to U+E007E. */
const firstTag = 0xe0000;

/** The most characters that are kept of one; few have a simplest form that is longer. */
const mostShown = 4;

/** Caches the visible forms of characters that are not ASCII, since few different ones make up a text. */
const known = new Map<number, string>();
const mostKnown = 10_000;

/**
 * Reads a text as a person does, and a model: without invisible characters and marks, in the simplest form of each
 * character (NFKD), and with tag characters as the letters that they stand for. ASCII is kept as it is, others are
 * written in lower case. A character that is neither a letter, a digit nor ASCII becomes a space.
 */
export function toVisible(view: TextView): TextView {
  const { text, starts, ends } = view;
  if (/^\p{ASCII}*$/u.test(text)) return view;
  const builder = createViewBuilder(text.length * mostShown, starts);
  for (let index = 0; index < text.length; index += 1) {
    const start = starts[index] ?? 0;
    const unit = text.charCodeAt(index);
    if (unit < 128) {
      builder.push(unit, start, ends[index] ?? 0);
      continue;
    }
    // A byte that is no character of UTF-8.
    if (unit >= 0xdc00 && unit < 0xe000) {
      builder.push(0, start, ends[index] ?? 0);
      continue;
    }
    const code = text.codePointAt(index) ?? 0;
    if (code > 0xffff) index += 1;
    const shown = showCharacter(code);
    for (let at = 0; at < shown.length; at += 1) builder.push(shown.charCodeAt(at), start, ends[index] ?? 0);
  }
  return builder.build();
}

/** A tag character, in the two units of UTF-16. */
const tag = /\udb40[\udc20-\udc7e]/;

/** Returns a text without its tag characters, which may stand for letters or hide between them; null for one without any. */
export function withoutTags({ text, starts, ends }: TextView): TextView | null {
  if (!tag.test(text)) return null;
  const builder = createViewBuilder(text.length, starts);
  for (let index = 0; index < text.length; index += 1) {
    const low = text.charCodeAt(index + 1);
    if (text.charCodeAt(index) === 0xdb40 && low >= 0xdc20 && low <= 0xdc7e) index += 1;
    else builder.push(text.charCodeAt(index), starts[index] ?? 0, ends[index] ?? 0);
  }
  return builder.build();
}

function showCharacter(code: number): string {
  const before = known.get(code);
  if (before !== undefined) return before;
  const shown = findShown(code);
  if (known.size < mostKnown) known.set(code, shown);
  return shown;
}

function findShown(code: number): string {
  if (code > firstTag + 0x1f && code < firstTag + 0x7f) return String.fromCharCode(code - firstTag);
  const simple = String.fromCodePoint(code).normalize('NFKD').toLowerCase();
  return simple
    .replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[^\p{ASCII}\p{L}\p{N}]/gu, ' ')
    .slice(0, mostShown);
}
