import { parseToolCallBlock, type Block } from './tool-use-block.ts';

const form = 'tool_call';

/**
 * How many closing tags are tried for one block: the arguments may hold such a tag in a text. The bound keeps the time
 * linear.
 */
const mostTries = 8;

/** Finds the ends of the blocks `<tool_call>{ … }</tool_call>`. Positions only grow. */
export function createCallCloser(text: string) {
  let nothingCloses = false;
  return (start: number, innerStart: number): { blocks: Block[]; end: number } => {
    const closings = nothingCloses ? [] : findClosings(text, innerStart);
    const [first] = closings;
    if (!first) {
      nothingCloses = true;
      const contents = [{ reason: 'it is not closed with </tool_call>' }];
      return { blocks: [{ form, start, end: text.length, closed: false, contents }], end: text.length };
    }
    for (const { index, end } of closings) {
      const content = parseToolCallBlock(text.slice(innerStart, index));
      if ('call' in content)
        return { blocks: [{ form, start, end, closed: true, contents: [content] }], end };
    }
    const contents = [parseToolCallBlock(text.slice(innerStart, first.index))];
    return { blocks: [{ form, start, end: first.end, closed: true, contents }], end: first.end };
  };
}

function findClosings(text: string, from: number): { index: number; end: number }[] {
  const pattern = /<\/tool_call\s*>/gi;
  pattern.lastIndex = from;
  const closings: { index: number; end: number }[] = [];
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    closings.push({ index: match.index, end: pattern.lastIndex });
    if (closings.length === mostTries) break;
  }
  return closings;
}
