/** An open code fence: the characters that close it, and the indentation that its lines may have. */
interface Fence {
  marker: string;
  length: number;
  indent: number;
  quoted: boolean;
}

interface FenceLine extends Fence {
  info: string;
}

/** Keeps track of fenced code blocks (CommonMark 0.31, section 4.5), line by line. */
export function createFenceTracker() {
  let fence: Fence | null = null;

  return {
    /** True when the next line is certainly code. It is false in a quote, since the code ends with the quote. */
    isInside: (): boolean => fence !== null && !fence.quoted,

    /** Reads the next line, without its line break, and says whether it belongs to code or to its fences. */
    takeLine: (line: string): boolean => {
      const found = parseFenceLine(line);
      if (fence && (!fence.quoted || line.trimStart().startsWith('>'))) {
        if (found && closes(fence, found)) fence = null;
        return true;
      }
      const opens = found !== null && !(found.marker === '`' && found.info.includes('`'));
      fence = opens && found.indent <= found.mostIndent ? found : null;
      return fence !== null;
    },
  };
}

function parseFenceLine(line: string): (FenceLine & { mostIndent: number }) | null {
  const prefix = /^[ >]*/.exec(line)?.[0] ?? '';
  const quoted = prefix.includes('>');
  const indent = quoted ? prefix.slice(prefix.lastIndexOf('>') + 1).replace(/^ /, '') : prefix;
  const rest = line.slice(prefix.length);
  const item = /^(?:[-*+]|\d{1,9}[.)]) {1,4}/.exec(rest)?.[0].length ?? 0;
  const [, run, info = ''] = /^(`{3,}|~{3,})(.*)$/.exec(rest.slice(item).trimEnd()) ?? [];
  if (run === undefined) return null;
  const shared = { marker: run.charAt(0), length: run.length, info, quoted };
  return { ...shared, indent: indent.length + item, mostIndent: item + 3 };
}

function closes(fence: Fence, line: FenceLine): boolean {
  const fits = line.marker === fence.marker && line.length >= fence.length && line.info === '';
  return fits && line.indent <= Math.max(3, fence.indent + 3);
}

/** A run of backticks. */
export interface BacktickRun {
  start: number;
  end: number;
  /** The end of the code span that this run opens; null when it opens none. */
  codeEnd: number | null;
}

const lineStart = /^[ >]*(?:(?:[-*+]|\d{1,9}[.)]) {1,4})?$/;
const longestLineStart = 80;

function isAtLineStart(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - longestLineStart), index);
  const lineBreak = before.lastIndexOf('\n');
  const isWhole = lineBreak >= 0 || index <= longestLineStart;
  return isWhole && lineStart.test(before.slice(lineBreak + 1));
}

/**
 * Finds the runs of backticks of a text and pairs those that enclose code (CommonMark 0.31, section 6.1). Code spans
 * reach neither over an empty line nor over a fence.
 */
export function findBacktickRuns(text: string): BacktickRun[] {
  const marks = [...text.matchAll(/`+|~{3,}|\n[ \t\r]*(?=\n)/g)].reverse();
  const closers = new Map<number, number>();
  const runs: BacktickRun[] = [];
  for (const { 0: mark, index: start } of marks) {
    const end = start + mark.length;
    if (mark.startsWith('`')) {
      runs.push({ start, end, codeEnd: closers.get(mark.length) ?? null });
      closers.set(mark.length, end);
    }
    const isFence = mark.length >= 3 && !mark.startsWith('\n') && isAtLineStart(text, start);
    if (mark.startsWith('\n') || isFence) closers.clear();
  }
  return runs.reverse();
}
