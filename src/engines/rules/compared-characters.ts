import { createViewBuilder, longestGap, type TextView } from '../../domain/text-view.ts';

/**
 * Which characters of a text are compared: its letters and digits, these with tag characters read as the letters that
 * they stand for, or all visible characters.
 */
export type Comparison = 'letters' | 'tags' | 'visible';

/** Tag characters are invisible copies of ASCII, U+E0020 to U+E007E; these are their units in UTF-16. */
const tag = /\udb40[\udc20-\udc7e]/;
const firstTag = 0xe0000;

/** Returns whether a text has tag characters, which may stand for letters or only between them. */
export function holdsTags(text: string): boolean {
  return tag.test(text);
}

/** The most characters that one may be read as. */
const mostShown = 4;

/**
 * Keeps the characters of a text that are compared, in lower case and in their simplest form (NFKD), without marks and
 * invisible characters. A character with the code 0 stands for a long gap.
 */
export function toCompared({ text, starts, ends }: TextView, comparison: Comparison): TextView {
  const isAscii = /^\p{ASCII}*$/u.test(text);
  const builder = createViewBuilder(isAscii ? text.length : text.length * mostShown, starts);
  let gap = 0;
  for (let index = 0; index < text.length; index += 1) {
    const start = starts[index] ?? 0;
    const code = text.codePointAt(index) ?? 0;
    if (code > 0xffff) index += 1;
    const end = ends[index] ?? 0;
    const shown = showCharacter(code, comparison);
    gap = shown === '' ? gap + 1 : 0;
    if (gap === longestGap) builder.push(0, start, end);
    for (let at = 0; at < shown.length; at += 1) builder.push(shown.charCodeAt(at), start, end);
  }
  return builder.build();
}

/** Caches the compared form of characters, since few different ones make up a text. */
const known = { letters: new Map<number, string>(), visible: new Map<number, string>() };
const mostKnown = 10_000;

function showCharacter(code: number, comparison: Comparison): string {
  if (comparison === 'visible') return showKnown(code, 'visible');
  const isTag = comparison === 'tags' && code > firstTag + 0x1f && code < firstTag + 0x7f;
  return showKnown(isTag ? code - firstTag : code, 'letters');
}

function showKnown(code: number, comparison: 'letters' | 'visible'): string {
  const before = known[comparison].get(code);
  if (before !== undefined) return before;
  const others =
    comparison === 'visible' && code < 128 ? /\s/g : /[^\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/gu;
  const simple = String.fromCodePoint(code).normalize('NFKD').toLowerCase();
  const shown = simple.replace(others, '').slice(0, mostShown);
  if (known[comparison].size < mostKnown) known[comparison].set(code, shown);
  return shown;
}
