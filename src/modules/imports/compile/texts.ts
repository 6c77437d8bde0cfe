import type { JsonValue } from '../../../domain/json.ts';

/**
 * Returns a text of a document in one line without HTML and Markdown links, cut after a sentence or a word; empty for
 * values that are no text.
 */
export function toPlainText(value: JsonValue | undefined, most: number): string {
  if (typeof value !== 'string') return '';
  const plain = value
    .slice(0, 20_000)
    .replaceAll(/<[^<>]{0,200}>/g, ' ')
    .replaceAll(/!?\[([^[\]]{0,300})\]\([^()]{0,500}\)/g, '$1')
    .replaceAll(/[*`#]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return cutText(plain, most);
}

/** Cuts a text after a sentence, or else after a word, to at most a number of characters. */
function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = text.slice(0, most);
  const sentence = start.lastIndexOf('. ');
  if (sentence >= most / 2) return start.slice(0, sentence + 1);
  const word = start.lastIndexOf(' ');
  return most < 3 ? '' : `${start.slice(0, word >= most / 2 ? word : most - 1).toWellFormed()}…`;
}

/** Joins a summary and a description, unless one repeats the other. */
export function joinTexts(summary: string, description: string, most: number): string {
  if (summary === '' || description.startsWith(summary)) return cutText(description, most);
  if (description === '') return cutText(summary, most);
  return cutText(`${/[.!?]$/.test(summary) ? summary : `${summary}.`} ${description}`, most);
}

/** Returns a text with other characters than letters, digits, `_` and `-` replaced, that begins with a letter. */
export function toName(text: string, most: number): string {
  const name = text
    .replaceAll(/[{}]/g, '')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .replaceAll(/^[^A-Za-z]+|[_-]+$/g, '')
    .slice(0, most);
  return name === '' ? 'field' : name;
}

/** Returns the first of `name`, `name_2`, `name_3`, … that is not taken, and takes it. */
export function takeName(taken: Set<string>, name: string, most: number): string {
  let unique = name;
  for (let count = 2; taken.has(unique); count += 1) {
    const suffix = `_${count}`;
    unique = `${name.slice(0, most - suffix.length)}${suffix}`;
  }
  taken.add(unique);
  return unique;
}

/** Returns a text of a document as it is; empty for values that are no text. */
export function toText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
