import { Parser } from 'htmlparser2';
import { createMarkdownWriter, type MarkdownWriter } from './markdown-writer.ts';
import { unreadable } from './unreadable.ts';

type Attributes = Record<string, string>;

/** Begins an element and returns how to end it; null when its end does nothing. */
type Element = (writer: MarkdownWriter, attributes: Attributes) => (() => void) | null;

/** Elements without text for readers. */
const ignored = new Set([
  ...['script', 'style', 'noscript', 'template', 'iframe', 'object'],
  ...['svg', 'canvas', 'nav', 'title'],
]);

const blockNames = [
  ...['address', 'article', 'aside', 'body', 'caption', 'center', 'dd', 'details', 'dialog', 'dir', 'div'],
  ...['dl', 'dt', 'fieldset', 'figcaption', 'figure', 'footer', 'form', 'header', 'hr', 'html', 'legend'],
  ...['main', 'option', 'p', 'section', 'summary'],
];

/**
 * The deepest nesting that is read. The parser keeps its open elements in an array that it changes at the front, so that
 * without a limit the time would grow with the square of the depth.
 */
const deepest = 3_000;

const elements = new Map<string, Element>([
  ...blockNames.map((name): [string, Element] => [name, (writer) => writer.block()]),
  ...[1, 2, 3, 4, 5, 6].map((level): [string, Element] => [`h${level}`, (writer) => writer.heading(level)]),
  ...['b', 'strong'].map((name): [string, Element] => [name, emphasis('**')]),
  ...['i', 'em'].map((name): [string, Element] => [name, emphasis('*')]),
  ...['code', 'kbd', 'samp', 'tt'].map((name): [string, Element] => [
    name,
    (writer, attributes) => writer.codeText(toLanguage(attributes)),
  ]),
  ...['td', 'th'].map((name): [string, Element] => [name, (writer) => writer.cell()]),
  ['blockquote', (writer) => writer.quote()],
  ['ul', (writer) => writer.list('bulleted')],
  ['menu', (writer) => writer.list('bulleted')],
  ['ol', (writer) => writer.list('ordered')],
  ['li', (writer) => writer.item()],
  ['table', (writer) => writer.table()],
  ['tr', (writer) => writer.row()],
  ['pre', (writer, attributes) => writer.code(toLanguage(attributes))],
  ['a', (writer, { href = '' }) => (isKept(href) ? writer.mark({ before: '[', after: `](${href})` }) : null)],
  [
    'br',
    (writer) => {
      writer.breakLine();
      return null;
    },
  ],
  [
    'img',
    (writer, { alt = '' }) => {
      writer.text(alt);
      return null;
    },
  ],
]);

/**
 * Converts HTML to Markdown with its headings, lists, tables and code, in time proportional to its length; an image
 * becomes its `alt` text. A converter that builds a tree reads the text of an element again for each one around it.
 * @throws HoldfastError `DOCUMENT_UNREADABLE` when elements are nested too deeply
 */
export function htmlToMarkdown(html: string): string {
  const writer = createMarkdownWriter();
  const open: ((() => void) | null)[] = [];
  let ignoredDepth = 0;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (open.length >= deepest) throw unreadable(`The HTML nests more than ${deepest} elements.`);
      if (ignored.has(name)) ignoredDepth += 1;
      open.push(ignoredDepth > 0 ? null : (elements.get(name)?.(writer, attributes) ?? null));
    },
    ontext: (text) => {
      if (ignoredDepth === 0) writer.text(text);
    },
    onclosetag: (name) => {
      open.pop()?.();
      if (ignored.has(name)) ignoredDepth -= 1;
    },
  });
  parser.end(html);
  return writer.finish();
}

function emphasis(sign: string): Element {
  return (writer) => writer.mark({ before: sign, after: sign });
}

/** Keeps links to http and https only: others, such as anchors and `data:` URLs, are useless in a chunk. */
function isKept(href: string): boolean {
  return /^https?:\/\/[^\s()]{1,300}$/i.test(href);
}

function toLanguage({ class: names = '' }: Attributes): string {
  return /(?:^|\s)lang(?:uage)?-([\w+-]{1,30})/.exec(names)?.[1] ?? '';
}
