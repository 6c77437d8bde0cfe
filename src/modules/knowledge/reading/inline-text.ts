/** The signs before and after a part of a text, such as those of a link. */
interface Mark {
  before: string;
  after: string;
}

/** The text of one block: runs of white space count as one space, and marks never enclose white space at their edges. */
export interface InlineText {
  add: (text: string) => void;
  /** Adds line breaks; two of them end a paragraph. */
  breakLine: (count: 1 | 2) => void;
  /** Begins a marked part. The returned function ends it. */
  mark: (mark: Mark) => () => void;
  /** Returns what was added since the last call. Marks that are still open are closed, and open again in what follows. */
  take: () => string;
}

/** The maximum number of marks inside each other. Deeper ones are left out, since each block repeats those that are open. */
const mostMarks = 8;

/** Collects the text of a block. */
export function createInlineText(): InlineText {
  let parts: string[] = [];
  const open = new Set<Mark & { written: boolean }>();

  const close = (mark: Mark): void => {
    let trailing = '';
    while (parts.at(-1)?.trim() === '') trailing = parts.pop() === '' ? trailing : ' ';
    const last = parts.pop() ?? '';
    const text = last.trimEnd();
    parts.push(text, mark.after, text === last ? trailing : ' ');
  };

  return {
    add: (text) => {
      const collapsed = text.replace(/[ \t\r\n\f]+/g, ' ');
      const unwritten = [...open].filter(({ written }) => !written);
      if (unwritten.length === 0 || collapsed.trim() === '') {
        parts.push(collapsed);
        return;
      }
      const begun = collapsed.trimStart();
      if (begun !== collapsed) parts.push(' ');
      for (const mark of unwritten) {
        parts.push(mark.before);
        mark.written = true;
      }
      parts.push(begun);
    },
    breakLine: (count) => void parts.push('\n'.repeat(count)),
    mark: ({ before, after }) => {
      if (open.size >= mostMarks) return () => undefined;
      const mark = { before, after, written: false };
      open.add(mark);
      return () => {
        open.delete(mark);
        if (mark.written) close(mark);
      };
    },
    take: () => {
      for (const mark of [...open].reverse()) {
        if (mark.written) close(mark);
        mark.written = false;
      }
      const text = parts.join('');
      parts = [];
      return text
        .replace(/ {2,}/g, ' ')
        .replace(/ ?(\n) ?/g, '$1')
        .replace(/\n{3,}/g, '\n\n')
        .trim();
    },
  };
}
