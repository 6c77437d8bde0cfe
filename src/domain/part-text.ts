import type { PartFile } from './message-part.ts';

/** The maximum number of characters of a file's text that a model gets. */
export const partTextCharacters = 100_000;

/** The text of a file, as far as it is kept. */
export interface FileText {
  text: string;
  /** The length of the whole text, in characters. */
  characters: number;
}

/** Names a file for a model: by its name where it has one. */
export function toFileLabel({ name, mediaType }: Pick<PartFile, 'name' | 'mediaType'>): string {
  return name === null ? `of type ${mediaType}` : `"${name}"`;
}

/** Returns what a model gets in place of a file that it does not take: its text, cut with a note where it is long. */
export function toShownText(file: PartFile, { text, characters }: FileText): string {
  const kept = text.slice(0, partTextCharacters).toWellFormed();
  const cut =
    characters > kept.length
      ? `\n[The text is cut here: ${kept.length} of ${characters} characters are shown.]`
      : '';
  return `[The text of the file ${toFileLabel(file)}:]\n${kept.trimEnd()}${cut}\n[The end of the file ${toFileLabel(file)}.]`;
}
