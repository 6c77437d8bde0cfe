/**
 * Finds the line, from 0, at which a value stands in a document of YAML or JSON, by its JSON Pointer. Where it is not found, it is
 * the line of the closest value around it. The text may be wrong: this reads indents and brackets, and nothing else.
 */
export function findLine(text: string, pointer: string): number {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (/^\s*[{[]/.test(text)) return countLines(text, findInFlow(text, 0, parts));
  const lines = text.split('\n').map((line) => (/^\s*(#|---|%)/.test(line) ? '' : line));
  return findInBlock({ lines, start: 0, end: lines.length }, parts) ?? 0;
}

/** Lines that belong to one value; `start` is the first of them. */
interface Block {
  lines: readonly string[];
  start: number;
  end: number;
}

/** Returns null when the block has no such value. */
function findInBlock(block: Block, [part, ...rest]: readonly string[]): number | null {
  const first = nextLine(block);
  if (part === undefined || first === null) return null;
  const found = listEntries(block, first).find(({ name }) => name === part);
  if (!found) return null;
  const { lines, line, end, valueAt, isItem } = found;
  const value = lines.slice(line, end).join('\n').slice(valueAt);
  if (/^\s*[{[]/.test(value)) return line + countLines(value, findInFlow(value, 0, rest));
  // The first field of an item of a list stands on the line of its dash.
  return findInBlock({ lines, start: isItem ? line : line + 1, end }, rest) ?? line;
}

interface Entry {
  name: string;
  line: number;
  /** The line after the last of the value. */
  end: number;
  /** Where the value begins in its line. */
  valueAt: number;
  isItem: boolean;
  /** All lines; those of an item have a space for its dash. */
  lines: readonly string[];
}

const field = /^\s*(?:'((?:[^']|'')*)'|"((?:[^"\\]|\\.)*)"|([^\s'"#][^#]*?))\s*:(?=\s|$)/;

function listEntries({ lines, end }: Block, first: number): Entry[] {
  const indent = toIndent(lines[first]);
  const isList = /^\s*-(\s|$)/.test(lines[first] ?? '');
  const starts: number[] = [];
  for (let line = first; line < end; line += 1) {
    const text = lines[line] ?? '';
    if (text.trim() === '' || toIndent(text) !== indent) continue;
    const isItem = /^\s*-(\s|$)/.test(text);
    if (isList ? isItem : !isItem && field.test(text)) starts.push(line);
  }
  return starts.map((line, index) => {
    const text = lines[line] ?? '';
    const next = starts[index + 1] ?? end;
    if (isList) {
      const changed = lines.with(line, text.replace('-', ' '));
      return { name: String(index), line, end: next, valueAt: indent + 1, isItem: true, lines: changed };
    }
    const [whole = '', single, double, bare] = field.exec(text) ?? [];
    const name = single?.replaceAll("''", "'") ?? double ?? bare ?? '';
    return { name, line, end: next, valueAt: whole.length, isItem: false, lines };
  });
}

function nextLine({ lines, start, end }: Block): number | null {
  for (let line = start; line < end; line += 1) if (lines[line]?.trim()) return line;
  return null;
}

const toIndent = (line = '') => line.length - line.trimStart().length;

const countLines = (text: string, end: number) => text.slice(0, end).split('\n').length - 1;

/** Finds the place of a value inside brackets, from the place at or before the opening one. */
function findInFlow(text: string, from: number, [part, ...rest]: readonly string[]): number {
  const open = text.slice(from).search(/\S/) + from;
  if (part === undefined || !/[{[]/.test(text[open] ?? '')) return open;
  const isList = text[open] === '[';
  let place = open + 1;
  for (let index = 0; place < text.length; index += 1) {
    const start = place + text.slice(place).search(/[^\s,]|$/);
    if (/[}\]]/.test(text[start] ?? ']')) return open;
    const colon = isList ? start : skip(text, start, /[:,}\]]/);
    const name = isList ? String(index) : toName(text.slice(start, colon));
    const value = isList ? start : colon + 1;
    if (name === part) return rest.length === 0 ? start : Math.max(start, findInFlow(text, value, rest));
    place = skip(text, value, /[,}\]]/);
  }
  return open;
}

const toName = (text: string) => text.trim().replace(/^(['"])(.*)\1$/s, '$2');

/** The place of the next character that fits, outside of quotes and inner brackets. */
function skip(text: string, from: number, until: RegExp): number {
  let depth = 0;
  for (let place = from; place < text.length; place += 1) {
    const character = text[place] ?? '';
    if (depth === 0 && until.test(character)) return place;
    if (/["']/.test(character) && /[\s{[,:]/.test(text[place - 1] ?? '{')) place = endOfQuote(text, place);
    else if (/[{[]/.test(character)) depth += 1;
    else if (/[}\]]/.test(character)) depth -= 1;
  }
  return text.length;
}

function endOfQuote(text: string, start: number): number {
  const quote = text[start];
  for (let place = start + 1; place < text.length; place += 1) {
    if (quote === '"' && text[place] === '\\') place += 1;
    else if (text[place] === quote) return place;
  }
  return text.length;
}
