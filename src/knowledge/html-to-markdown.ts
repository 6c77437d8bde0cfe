import TurndownService from 'turndown';

/** The members of a DOM element that this file uses; the types of the DOM are not loaded. */
interface HtmlElement {
  textContent: string | null;
  nodeName: string;
  getAttribute: (name: string) => string | null;
  querySelectorAll: (selector: string) => ArrayLike<HtmlElement>;
}

/** Elements without text for readers. */
const ignored = [
  'script',
  'style',
  'noscript',
  'template',
  'iframe',
  'object',
  'svg',
  'canvas',
  'nav',
  'title',
];

/** Converts HTML to Markdown with its headings, lists, tables and code; an image becomes its `alt` text. */
export function htmlToMarkdown(html: string): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
  });
  service.remove(ignored as Parameters<typeof service.remove>[0]);
  // Escapes would disturb the search, so only text that would be read as a heading is escaped.
  service.escape = (text) => text.replace(/^(#{1,6}\s)/gm, '\\$1');
  service.addRule('picture', {
    filter: 'img',
    replacement: (_content, node: unknown) => (node as HtmlElement).getAttribute('alt')?.trim() ?? '',
  });
  service.addRule('link', {
    filter: 'a',
    replacement: (content, node: unknown) =>
      toLink(content, (node as HtmlElement).getAttribute('href') ?? ''),
  });
  service.addRule('table', {
    filter: 'table',
    replacement: (content, node: unknown) => toTable(node as HtmlElement) ?? `\n\n${content}\n\n`,
  });
  return service.turndown(html);
}

/** Keeps links to http and https only: others, such as anchors and `data:` URLs, are useless in a chunk. */
function toLink(content: string, href: string): string {
  const text = content.trim();
  return text !== '' && /^https?:\/\/[^\s()]{1,300}$/i.test(href) ? `[${text}](${href})` : content;
}

/** Converts a table of data; null for a table that is used for layout. */
function toTable(table: HtmlElement): string | null {
  if (table.querySelectorAll('table').length > 0) return null;
  const rows = Array.from(table.querySelectorAll('tr'))
    .map((row) => Array.from(row.querySelectorAll('th, td')).map(toCell))
    .filter((cells) => cells.length > 0);
  const width = Math.max(0, ...rows.map((cells) => cells.length));
  if (rows.length < 2 || width < 2) return null;
  const lines = rows.map(
    (cells) => `| ${[...cells, ...Array<string>(width - cells.length).fill('')].join(' | ')} |`,
  );
  const [header = '', ...rest] = lines;
  return `\n\n${[header, `|${' --- |'.repeat(width)}`, ...rest].join('\n')}\n\n`;
}

function toCell(cell: HtmlElement): string {
  return (cell.textContent ?? '').replace(/\s+/g, ' ').trim().replaceAll('|', '\\|');
}
