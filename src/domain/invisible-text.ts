import { isJsonObject, type JsonValue } from './json.ts';

/** Control characters but tabs and line breaks, marks of direction, joiners, tag characters and other invisible ones. */
const invisible = /[^\P{Cc}\t\n\r]|\p{Cf}|\p{Default_Ignorable_Code_Point}/gu;

/** Removes the characters of a text that a person does not see; a model would read them. */
export function stripInvisible(text: string): string {
  return text.replace(invisible, '');
}

/** Shows the characters of a text that a person does not see by their code, as in `⟨U+200B⟩`. */
export function showInvisible(text: string): string {
  return text.replace(invisible, (character) => `⟨${toCodeName(character)}⟩`);
}

/** Writes a value as JSON on several lines, in which the characters that a person does not see are written by their codes. */
export function toVisibleJson(value: JsonValue): string {
  return JSON.stringify(value, null, 2).replace(invisible, (characters) =>
    characters
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Lists the invisible characters of a value, such as `U+200B`, each once. */
export function listInvisible(value: JsonValue): string[] {
  const found = new Set<string>();
  mapTexts(value, (text) => {
    for (const [character] of text.matchAll(invisible)) found.add(toCodeName(character));
    return text;
  });
  return [...found].sort();
}

/** Copies a JSON value with all its texts changed, including the names of fields. */
export function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((part) => mapTexts(part, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [change(name), mapTexts(part, change)]),
  );
}

function toCodeName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
