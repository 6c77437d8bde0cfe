import { createInlineText, type InlineText } from './inline-text.ts';

/** A table whose cells are collected until it is known whether they are data, or arrange the parts of a page. */
export interface HtmlTable {
  /** Begins a row; null when the cells of this table are blocks. */
  row: () => (() => void) | null;
  /** Begins a cell; null when the cells of this table are blocks. */
  openCell: () => (() => void) | null;
  /** The text of the cell that is open; null when none is. */
  cell: () => InlineText | null;
  /** Returns what was collected as separate texts. From now on the cells of this table are blocks. */
  toBlocks: () => string[];
  /** Returns the table as Markdown; null unless it has several rows and columns of text. */
  toMarkdown: () => string | null;
}

/** Collects a table. */
export function createHtmlTable(): HtmlTable {
  let rows: string[][] = [];
  let open: InlineText | null = null;
  let isLayout = false;

  return {
    row: () => {
      if (isLayout) return null;
      rows.push([]);
      return () => undefined;
    },
    openCell: () => {
      if (isLayout) return null;
      const row = rows.at(-1) ?? [];
      if (rows.length === 0) rows.push(row);
      const text = createInlineText();
      open = text;
      return () => {
        // The texts of a table that has become blocks meanwhile are written already.
        if (open !== text) return;
        row.push(text.take());
        open = null;
      };
    },
    cell: () => open,
    toBlocks: () => {
      const texts = [...rows.flat(), open?.take() ?? ''];
      isLayout = true;
      rows = [];
      open = null;
      return texts.flatMap((text) => text.split('\n\n')).filter((text) => text !== '');
    },
    toMarkdown: () => {
      const filled = rows.filter((cells) => cells.length > 0);
      const [header = [], ...rest] = filled;
      if (isLayout || rest.length === 0 || !filled.some(({ length }) => length > 1)) return null;
      return [toLine(header), `|${' --- |'.repeat(header.length)}`, ...rest.map(toLine)].join('\n');
    },
  };
}

function toLine(cells: string[]): string {
  const escaped = cells.map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|'));
  return `| ${escaped.join(' | ')} |`;
}
