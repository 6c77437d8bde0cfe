/** A run of text on a page of a PDF. */
export interface TextItem {
  str: string;
  hasEOL: boolean;
  height: number;
  /** The last number is the distance of the baseline from the bottom of the page. */
  transform: number[];
}

interface Line {
  text: string;
  bottom: number;
  height: number;
}

/** A larger distance between lines, in line heights, starts a new paragraph. */
const paragraphGap = 1.9;
/** A line of at least this fraction of the longest line of its page counts as wrapped. */
const fullLine = 0.6;

/**
 * Joins the runs of text of a page to paragraphs with an empty line between them. Wrapped lines are joined, and words
 * that were hyphenated at the end of a line become whole.
 */
export function toParagraphs(items: TextItem[]): string {
  const lines = toLines(items);
  const longest = lines.reduce((length, { text }) => Math.max(length, text.length), 0);
  return lines
    .map((line, index) => {
      const below = lines[index + 1];
      return below ? joinLine(line.text, below.text, toGlue(line, below, longest)) : line.text;
    })
    .join('');
}

/** Removes the hyphen at the end of a wrapped line when the next line begins with a small letter. */
function joinLine(line: string, below: string, glue: string): string {
  const hyphenated = glue === ' ' && /\p{Ll}-$/u.test(line.slice(-3)) && /^\p{Ll}/u.test(below);
  return hyphenated ? line.slice(0, -1) : line + glue;
}

function toLines(items: TextItem[]): Line[] {
  const lines: Line[] = [];
  let text = '';
  let bottom = 0;
  let height = 0;
  const end = () => {
    if (text.trim() !== '') lines.push({ text: text.replace(/\s+/g, ' ').trim(), bottom, height });
    text = '';
    height = 0;
  };
  for (const item of items) {
    if (item.str.trim() !== '') {
      bottom = item.transform[5] ?? bottom;
      height = Math.max(height, item.height);
    }
    text += item.str;
    if (item.hasEOL) end();
  }
  end();
  return lines;
}

function toGlue(above: Line, line: Line, longest: number): string {
  const distance = Math.abs(above.bottom - line.bottom);
  if (distance > paragraphGap * Math.max(above.height, line.height, 1)) return '\n\n';
  return above.text.length >= longest * fullLine ? ' ' : '\n';
}
