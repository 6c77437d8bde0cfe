import { toPreview } from '../../../domain/text.ts';

/** Writes a value as JSON that can stand in a script of a page: nothing in it ends the script. */
export function toScriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, toEscape);
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Returns how many bytes a text takes in the script of a page. */
export function toSize(text: string): number {
  return Buffer.byteLength(toScriptJson(text));
}

/** Cuts a text so that it takes at most so many bytes in the script of a page. */
export function cutToSize(text: string, most: number): string {
  let characters = Math.min(text.length, most);
  let cut = toPreview(text, characters);
  // A character takes up to six bytes, so that few rounds are enough.
  for (let size = toSize(cut); size > most && characters > 1; size = toSize(cut)) {
    characters = Math.max(1, Math.min(characters - 1, Math.floor((characters * most) / size)));
    cut = toPreview(text, characters);
  }
  return cut;
}
