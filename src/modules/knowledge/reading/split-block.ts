import { isDelimiterRow, type Block } from './markdown-sections.ts';

/** A text that is not divided between chunks; `glue` separates it from the piece before it. */
export interface Piece {
  kind: Block['kind'];
  text: string;
  glue: string;
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const listItem = /^\s*(?:[-*+•]|\d{1,9}[.)])\s/;

/** Cuts a block into pieces of at most `maxCharacters`; a block that fits is one piece. */
export function splitBlock(block: Block, maxCharacters: number): Piece[] {
  if (block.text.length <= maxCharacters) return [{ ...block, glue: '\n\n' }];
  const texts = {
    text: () => splitProse(block.text, maxCharacters),
    table: () => splitTable(block.text, maxCharacters),
    code: () => splitCode(block.text, maxCharacters),
  }[block.kind]();
  return texts.map(({ text, glue }, index) => ({
    kind: block.kind,
    text,
    glue: index === 0 ? '\n\n' : glue,
  }));
}

/**
 * Splits a paragraph or list into sentences. A line break ends a sentence only before an item of a list, since text may be
 * wrapped.
 */
export function toSentences(text: string): { text: string; glue: string }[] {
  return toLogicalLines(text).flatMap((line) =>
    // `Intl.Segmenter` ends a sentence at a line break; the replacement has the same length.
    [...sentences.segment(line.replace(/\n/g, ' '))]
      .map(({ segment, index }) => line.slice(index, index + segment.length).trim())
      .filter((sentence) => sentence !== '')
      .map((sentence, index) => ({ text: sentence, glue: index === 0 ? '\n' : ' ' })),
  );
}

function toLogicalLines(text: string): string[] {
  const lines: string[] = [];
  let current: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (listItem.test(line) && current.length > 0) {
      lines.push(current.join('\n'));
      current = [];
    }
    current.push(line);
  }
  return [...lines, current.join('\n')];
}

function splitProse(text: string, maxCharacters: number): { text: string; glue: string }[] {
  return toSentences(text).flatMap((sentence) =>
    sentence.text.length <= maxCharacters
      ? [sentence]
      : packLines(sentence.text.split('\n'), maxCharacters).map((part, index) => ({
          text: part,
          glue: index === 0 ? sentence.glue : ' ',
        })),
  );
}

/** Repeats the header of a table in every piece, unless the header would fill more than half of it. */
function splitTable(text: string, maxCharacters: number): { text: string; glue: string }[] {
  const lines = text.split('\n');
  const hasHeader = isDelimiterRow(lines[1] ?? '');
  const header = hasHeader ? `${lines.slice(0, 2).join('\n')}\n` : '';
  const repeated = header.length <= maxCharacters / 2 ? header : '';
  const rows = repeated === '' ? lines : lines.slice(2);
  return packLines(rows, maxCharacters - repeated.length).map((part) => ({
    text: repeated + part,
    glue: '\n\n',
  }));
}

/** Repeats the fences of code around every piece. */
function splitCode(text: string, maxCharacters: number): { text: string; glue: string }[] {
  const lines = text.split('\n');
  const [opening = ''] = lines;
  const fence = /`{3,}|~{3,}/.exec(opening)?.[0] ?? '```';
  const isClosed = lines.at(-1)?.trim().startsWith(fence) ?? false;
  const body = lines.slice(1, isClosed ? -1 : undefined);
  const space = maxCharacters - opening.length - fence.length - 2;
  if (space < maxCharacters / 2)
    return packLines(lines, maxCharacters).map((part) => ({ text: part, glue: '\n' }));
  return packLines(body, space).map((part) => ({ text: `${opening}\n${part}\n${fence}`, glue: '\n\n' }));
}

/** Joins lines as far as they fit. A line that is too long is cut between words, or anywhere when it has one word. */
function packLines(lines: string[], maxCharacters: number): string[] {
  const parts: string[] = [];
  let current: string | undefined;
  for (const line of lines.flatMap((one) => cutLine(one, maxCharacters))) {
    const longer: string = current === undefined ? line : `${current}\n${line}`;
    if (longer.length <= maxCharacters) {
      current = longer;
      continue;
    }
    if (current !== undefined) parts.push(current);
    current = line;
  }
  if (current !== undefined) parts.push(current);
  return parts.filter((part) => part.trim() !== '');
}

function cutLine(line: string, maxCharacters: number): string[] {
  const parts: string[] = [];
  let start = 0;
  while (line.length - start > maxCharacters) {
    const end = findCut(line, start, maxCharacters);
    parts.push(line.slice(start, end).trimEnd());
    start = end;
    while (line[start] === ' ') start += 1;
  }
  return [...parts, line.slice(start)];
}

function findCut(line: string, start: number, maxCharacters: number): number {
  const end = start + maxCharacters;
  // A search in the whole line would go back to its beginning for each part of a line without spaces.
  const space = start + line.slice(start, end + 1).lastIndexOf(' ');
  if (space > start + maxCharacters / 2) return space;
  const splitsPair = /[\uD800-\uDBFF]/.test(line[end - 1] ?? '');
  return splitsPair ? end - 1 : end;
}
