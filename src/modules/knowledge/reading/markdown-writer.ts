import { createHtmlTable } from './html-table.ts';
import type { InlineText } from './inline-text.ts';
import { createMarkdownPage, type MarkdownPage } from './markdown-page.ts';

/** Begins a part of a page, and returns how to end it. */
type Begin<Input extends unknown[] = []> = (...input: Input) => () => void;

/** Writes Markdown while the elements of a page open and close. */
export interface MarkdownWriter {
  text: (text: string) => void;
  breakLine: () => void;
  mark: InlineText['mark'];
  block: Begin;
  heading: Begin<[level: number]>;
  quote: Begin;
  list: Begin<[kind: 'ordered' | 'bulleted']>;
  item: Begin;
  code: Begin<[language: string]>;
  /** Names the language of the code under way; outside of code, marks the text as a piece of code. */
  codeText: Begin<[language: string]>;
  table: Begin;
  row: Begin;
  cell: Begin;
  /** Returns all that was written. */
  finish: () => string;
}

/** Creates a writer whose work is proportional to the text, however deep its elements are nested. */
export function createMarkdownWriter(): MarkdownWriter {
  const page = createMarkdownPage();
  return {
    ...writeInline(page),
    ...writeBlocks(page),
    ...writeLists(page),
    ...writeTables(page),
    finish: page.finish,
  };
}

const nothing = () => undefined;

function writeInline({ open, inline }: MarkdownPage) {
  return {
    text: (text: string) => {
      if (open.code) open.code.lines.push(text);
      else inline().add(text);
    },
    breakLine: () => {
      if (open.code) open.code.lines.push('\n');
      else inline().breakLine(1);
    },
    mark: (mark: Parameters<InlineText['mark']>[0]) => (open.code ? nothing : inline().mark(mark)),
    codeText: (language: string) => {
      if (!open.code) return inline().mark({ before: '`', after: '`' });
      open.code.language ||= language;
      return nothing;
    },
  };
}

function writeBlocks({ open, write, endBlock, takeTitle, leaveTable }: MarkdownPage) {
  return {
    block: () => {
      endBlock();
      return endBlock;
    },
    heading: (level: number) => {
      leaveTable();
      endBlock();
      open.isHeading = true;
      return () => {
        const title = takeTitle();
        if (title !== '') write(`${'#'.repeat(level)} ${title}`);
      };
    },
    quote: () => {
      endBlock();
      open.quotes += 1;
      return () => {
        endBlock();
        open.quotes -= 1;
      };
    },
    code: (language: string) => {
      if (open.code) return nothing;
      leaveTable();
      endBlock();
      const code = { lines: [], language };
      open.code = code;
      return () => {
        open.code = null;
        write(toFencedCode(code));
      };
    },
  };
}

function writeLists({ open, endBlock, leaveTable }: MarkdownPage) {
  return {
    list: (kind: 'ordered' | 'bulleted') => {
      leaveTable();
      endBlock();
      open.lists.push({ next: kind === 'ordered' ? 1 : null });
      return () => {
        endBlock();
        open.lists.pop();
      };
    },
    item: () => {
      endBlock();
      const list = open.lists.at(-1);
      open.marker = typeof list?.next === 'number' ? `${list.next++}.` : '-';
      return () => {
        endBlock();
        open.marker = '';
      };
    },
  };
}

function writeTables({ open, write, endBlock, leaveTable }: MarkdownPage) {
  const block = () => {
    endBlock();
    return endBlock;
  };
  return {
    table: () => {
      leaveTable();
      endBlock();
      const table = createHtmlTable();
      open.tables.push(table);
      return () => {
        const text = table.toMarkdown();
        if (text === null) leaveTable();
        endBlock();
        open.tables.pop();
        if (text !== null) write(text);
      };
    },
    row: () => open.tables.at(-1)?.row() ?? block(),
    cell: () => open.tables.at(-1)?.openCell() ?? block(),
  };
}

function toFencedCode({ lines, language }: { lines: string[]; language: string }): string {
  const text = lines.join('').replace(/^\n/, '').trimEnd();
  if (text.trim() === '') return '';
  const longest = (text.match(/`{3,}/g) ?? []).reduce((length, found) => Math.max(length, found.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
