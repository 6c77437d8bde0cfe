import type { DocumentPart } from './document-part.ts';

/** A paragraph, list, table or fenced code. */
export interface Block {
  kind: 'text' | 'table' | 'code';
  text: string;
}

/** The blocks under one heading, or on one page. */
export interface Section {
  /** The headings above it, outermost first. */
  headings: string[];
  page: number | null;
  blocks: Block[];
}

interface Heading {
  level: number;
  title: string;
}

/** The maximum number of characters of a heading that are kept, so that headings do not outweigh the text of a chunk. */
const maxHeadingCharacters = 200;

const fencePattern = /^ {0,3}(`{3,}|~{3,})/;

/** Splits parts of a document into sections of blocks. Plain text has paragraphs only. */
export function toSections(parts: DocumentPart[]): Section[] {
  return parts.flatMap((part) =>
    part.format === 'plain' ? [toPlainSection(part)] : toMarkdownSections(part),
  );
}

function toPlainSection({ text, page }: DocumentPart): Section {
  const blocks = text
    .split(/\r?\n[^\S\n]*\r?\n/)
    .map((paragraph) => ({ kind: 'text' as const, text: paragraph.trim() }))
    .filter((block) => block.text !== '');
  return { headings: [], page, blocks };
}

/**
 * Reads line by line, like the first phase of CommonMark (https://spec.commonmark.org/0.31.2/#leaf-blocks), in time
 * proportional to the text. Parsers of all of Markdown take quadratic time for hostile input (decision 11).
 */
function toMarkdownSections({ text, page }: DocumentPart): Section[] {
  const sections: Section[] = [{ headings: [], page, blocks: [] }];
  const path: Heading[] = [];
  let open: { kind: Block['kind']; lines: string[]; fence?: string } | undefined;

  const close = (): void => {
    if (open) addBlock(sections, { kind: open.kind, text: open.lines.join('\n').trimEnd() });
    open = undefined;
  };
  const enter = (heading: Heading): void => {
    close();
    while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop();
    path.push(heading);
    sections.push({ headings: path.map(({ title }) => title), page, blocks: [] });
  };

  for (const line of text.split(/\r?\n/)) {
    if (open?.fence !== undefined) {
      open.lines.push(line);
      if (closesFence(line, open.fence)) close();
      continue;
    }
    const fence = fencePattern.exec(line)?.[1];
    const heading = toHeading(line, open?.kind === 'text' ? open.lines : []);
    if (fence !== undefined) {
      close();
      open = { kind: 'code', lines: [line], fence };
    } else if (heading) {
      if (heading.underlined) open = undefined;
      enter(heading);
    } else if (line.trim() === '') close();
    else open = addLine(line, open, close);
  }
  close();
  return withTitlesAsText(sections);
}

function addBlock(sections: Section[], block: Block): void {
  if (block.text.trim() !== '') sections.at(-1)?.blocks.push(block);
}

function addLine(
  line: string,
  open: { kind: Block['kind']; lines: string[] } | undefined,
  close: () => void,
): { kind: Block['kind']; lines: string[] } {
  const isRow = line.trimStart().startsWith('|') || (open?.kind === 'table' && line.includes('|'));
  // A table without bars at its edges is recognized by the row of dashes under its header.
  if (open?.kind === 'text' && open.lines.length === 1 && line.includes('|') && isDelimiterRow(line)) {
    return { kind: 'table', lines: [...open.lines, line] };
  }
  const kind = isRow ? 'table' : 'text';
  if (open?.kind !== kind) {
    close();
    return { kind, lines: [line] };
  }
  open.lines.push(line);
  return open;
}

/** Matches the row of dashes under the header of a table. */
export function isDelimiterRow(line: string): boolean {
  return line.length < 1000 && /^[\s|:-]+$/.test(line) && line.includes('-');
}

function closesFence(line: string, fence: string): boolean {
  const found = fencePattern.exec(line)?.[1];
  return found !== undefined && found.startsWith(fence) && line.trim() === found;
}

function toHeading(line: string, paragraph: string[]): (Heading & { underlined: boolean }) | null {
  const marks = /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line);
  if (marks) {
    const title = line.slice(marks[0].length, 1000).trim().replace(/#+$/, '').trim();
    return { level: marks[1]?.length ?? 1, title: toTitle(title), underlined: false };
  }
  const [first] = paragraph;
  const underline = /^ {0,3}(?:(=+)|-{2,})[ \t]*$/.exec(line);
  if (!underline || first === undefined || paragraph.length > 1 || /^\s*(?:[-*+>|]|\d+[.)])/.test(first))
    return null;
  return { level: underline[1] === undefined ? 2 : 1, title: toTitle(first), underlined: true };
}

/** Removes the marks of emphasis, code and links from a title. */
function toTitle(text: string): string {
  return text
    .slice(0, 1000)
    .replace(/!?\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replace(/[*_`]+(\S[^*_`]*)[*_`]+/g, '$1')
    .trim()
    .slice(0, maxHeadingCharacters);
}

/** Turns a heading without text under it or its subheadings into a block of text, so that it can be found. */
function withTitlesAsText(sections: Section[]): Section[] {
  return sections
    .map((section, index) => {
      const title = section.headings.at(-1);
      const isParent = (sections[index + 1]?.headings.length ?? 0) > section.headings.length;
      if (section.blocks.length > 0 || title === undefined || title === '' || isParent) return section;
      return {
        ...section,
        headings: section.headings.slice(0, -1),
        blocks: [{ kind: 'text' as const, text: title }],
      };
    })
    .filter(({ blocks }) => blocks.length > 0);
}
