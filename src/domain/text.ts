/** The maximum number of characters of an argument or result that go through workflow history. */
export const previewCharacters = 2048;

/** Cuts a text to a length, with an ellipsis at its end. Line breaks stay. */
export function toPreview(text: string, maxCharacters = previewCharacters): string {
  if (text.length <= maxCharacters) return text;
  return `${text
    .slice(0, maxCharacters - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`;
}

/** Cuts a text to a length on one line, for summaries and lists. */
export function toOneLine(text: string, maxCharacters = 120): string {
  return toPreview(
    text
      .slice(0, maxCharacters * 4)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
    maxCharacters,
  );
}

/** Matches a name of one line without `:` and without invisible characters such as those that change the direction. */
export const plainName = /^[^:\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u;

/** Returns whether a text has more than white space and control characters, which vendors of models refuse as a text. */
export function hasText(text: string): boolean {
  return /[^\s\p{Cc}]/u.test(text);
}
