import type { HtmlTable } from './html-table.ts';
import { createInlineText, type InlineText } from './inline-text.ts';

/** Code under way. */
interface Code {
  lines: string[];
  language: string;
}

interface List {
  /** The number of the next item; null in a bulleted list. */
  next: number | null;
}

/** The Markdown of a page so far, and the elements that are open around the next text. */
export interface MarkdownPage {
  open: {
    quotes: number;
    lists: List[];
    tables: HtmlTable[];
    isHeading: boolean;
    code: Code | null;
    /** The sign of an item of a list that has no text yet; empty for none. */
    marker: string;
  };
  /** The text of the block under way, or of the cell of a table. */
  inline: () => InlineText;
  /** Writes a block as it is. */
  write: (text: string, kind?: { isItem: boolean }) => void;
  /** Ends the block under way. Inside a heading or a cell of a table there are no blocks. */
  endBlock: () => void;
  /** Ends the heading under way, and returns its text. */
  takeTitle: () => string;
  /** Lets the cells of the table under way be blocks, since they hold more than text. */
  leaveTable: () => void;
  /** Returns all that was written. */
  finish: () => string;
}

/** The maximum number of levels of lists and of quotes that are shown, since each line repeats them. */
const mostLevels = 8;

/** Creates an empty page. */
export function createMarkdownPage(): MarkdownPage {
  const blocks: string[] = [];
  const text = createInlineText();
  const open: MarkdownPage['open'] = {
    ...{ quotes: 0, lists: [], tables: [], isHeading: false, code: null, marker: '' },
  };
  let isAfterItem = false;
  const findCell = () => open.tables.at(-1)?.cell();

  const write: MarkdownPage['write'] = (block, { isItem } = { isItem: false }) => {
    if (block === '') return;
    if (blocks.length > 0) blocks.push(isItem && isAfterItem ? '\n' : '\n\n');
    blocks.push(block);
    isAfterItem = open.lists.length > 0;
  };

  const writeText = (block: string): void => {
    if (block === '') return;
    const isItem = open.marker !== '';
    // A line of text that looks like a heading is escaped. Other escapes would stand between words that a search looks for.
    const escaped = block.replace(/^(#{1,6}\s)/gm, '\\$1');
    write(indent(escaped, open), { isItem });
    open.marker = '';
  };

  const endBlock = (): void => {
    const cell = findCell();
    if (cell) cell.breakLine(2);
    else if (open.isHeading) text.add(' ');
    else writeText(text.take());
  };

  return {
    ...{ open, write, endBlock },
    inline: () => findCell() ?? text,
    takeTitle: () => {
      open.isHeading = false;
      return text.take().replace(/\n+/g, ' ');
    },
    leaveTable: () => {
      for (const block of open.tables.at(-1)?.toBlocks() ?? []) writeText(block);
    },
    finish: () => {
      endBlock();
      return blocks.join('');
    },
  };
}

/** Puts the signs of quotes and of the item of a list before the lines of a block. */
function indent(block: string, { quotes, lists, marker }: MarkdownPage['open']): string {
  const quote = '> '.repeat(Math.min(quotes, mostLevels));
  const depth = Math.min(Math.max(lists.length, marker === '' ? 0 : 1), mostLevels);
  const indentation = quote + '  '.repeat(depth);
  const first = marker === '' ? indentation : `${quote}${'  '.repeat(depth - 1)}${marker} `;
  return first + (indentation === '' ? block : block.replaceAll('\n', `\n${indentation}`));
}
