import { isJsonObject, parseJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** The maximum number of places of an answer at which an object is looked for. */
const mostPlaces = 20;

/**
 * Reads the JSON object of an answer: the whole text, a fenced block in it, or an object with text around it. Of several
 * blocks the last one counts, since models think aloud before they answer. Null when there is none. An object inside of a
 * list, or of an object that is not complete, is no answer: `isCut` says that the text ended at the limit of tokens, so that
 * only a whole text that is an object counts. The time is linear.
 */
export function parseAnswerJson(text: string, { isCut = false } = {}): JsonObject | null {
  const whole = parseStructure(text.trim());
  if (isCut || whole) return toObject(whole);
  const fenced = parseFenced(text);
  return fenced ? toObject(fenced) : parseWithin(text);
}

function toObject(found: JsonValue | null): JsonObject | null {
  return isJsonObject(found) ? found : null;
}

/** Parses an object or a list. */
function parseStructure(text: string): JsonValue | null {
  if (!text.startsWith('[')) return parseJsonObject(text);
  return parseJsonObject(`{"list":${text}}`)?.list ?? null;
}

function parseFenced(text: string): JsonValue | null {
  for (const block of listFenced(text).slice(-mostPlaces).reverse()) {
    const found = parseStructure(block.trim());
    if (found) return found;
  }
  return null;
}

/** Returns the texts between fences; a line with a fence closes the block that is open. */
function listFenced(text: string): string[] {
  const blocks: string[] = [];
  let open: string[] | null = null;
  for (const line of text.split('\n')) {
    const isFence = line.trimStart().startsWith('```');
    if (!isFence) open?.push(line);
    else if (open) {
      blocks.push(open.join('\n'));
      open = null;
    } else open = [];
  }
  return blocks;
}

/** The object that ends with the last brace may begin at any line that is not indented, or at the first brace of the text. */
function parseWithin(text: string): JsonObject | null {
  const end = text.lastIndexOf('}') + 1;
  const first = text.indexOf('{');
  const isInList = /^\s*\]/.test(text.slice(end, end + 100));
  if (first < 0 || end <= first || isInList) return null;
  const lines = [...text.slice(0, end).matchAll(/^\{/gm)].slice(0, mostPlaces);
  for (const start of [first, ...lines.map(({ index }) => index)]) {
    const found = isInside(text, start) ? null : parseJsonObject(text.slice(start, end));
    if (found) return found;
  }
  return null;
}

/** Returns whether the object at a place is one of a list, by what stands before it. */
function isInside(text: string, start: number): boolean {
  return /(?:\[|\},)\s*$/.test(text.slice(Math.max(0, start - 100), start));
}
