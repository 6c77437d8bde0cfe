/** The most of an argument or result that goes through workflow history, in characters. */
export const previewCharacters = 2048;

/** The start of a text on as many lines as it has, cut to a length with an ellipsis. */
export function toPreview(text: string, maxCharacters = previewCharacters): string {
  if (text.length <= maxCharacters) return text;
  return `${text
    .slice(0, maxCharacters - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`;
}

/** The start of a text on one line, for summaries and lists. */
export function toOneLine(text: string, maxCharacters = 120): string {
  return toPreview(
    text
      .slice(0, maxCharacters * 4)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
    maxCharacters,
  );
}
