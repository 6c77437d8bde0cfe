import { createFenceTracker } from './markdown-code.ts';
import { mayOpenToolCode, opensToolCode } from './tool-code.ts';

const openings = ['<tool_use', '<tool_call'];
const opening = /<tool_(?:use|call)/i;
const longestOpening = 10;

/** The length of held-back trailing white space, in characters; the bound keeps the time linear. */
const maximumWhiteSpace = 200;

/**
 * Holds back text that may be a tool call while the answer is still being written: everything from `<tool_use`,
 * `<tool_call` or a fence of `tool_code` on outside fenced code blocks, a beginning of those, and trailing white space,
 * which is removed with a block. The finished text contains the held-back text where it is no tool call.
 */
export function createToolUseFilter(): (delta: string) => string {
  const fences = createFenceTracker();
  let line = '';
  let held = '';
  let holdsAll = false;

  /** Returns how many characters of a piece may be shown before a block begins in it. */
  function findOpening(piece: string): number {
    for (let position = 0; position < piece.length;) {
      const lineBreak = piece.indexOf('\n', position);
      const end = lineBreak < 0 ? piece.length : lineBreak;
      const before = line.slice(1 - longestOpening);
      const place = fences.isInside() ? -1 : (before + piece.slice(position, end)).search(opening);
      if (place >= 0) return position - before.length + place;
      const lineStart = position - line.length;
      line += piece.slice(position, end);
      position = end + 1;
      if (lineBreak < 0) break;
      if (!fences.isInside() && opensToolCode(line)) return lineStart;
      fences.takeLine(line);
      line = '';
    }
    return piece.length;
  }

  return (delta) => {
    if (holdsAll) return '';
    const place = findOpening(delta);
    holdsAll = place < delta.length;
    const text = held + delta;
    const known = text.slice(0, text.length - delta.length + place);
    const beginning = mayOpenToolCode(line) ? line.length : lengthOfBeginning(known);
    const sure = holdsAll || fences.isInside() ? known : known.slice(0, known.length - beginning);
    const trimmed = sure.trimEnd();
    const shown = sure.length - trimmed.length > maximumWhiteSpace ? sure : trimmed;
    held = text.slice(shown.length);
    return shown;
  };
}

/** Returns how many characters at the end of a text may be the beginning of a block. */
function lengthOfBeginning(text: string): number {
  const end = text.slice(1 - longestOpening).toLowerCase();
  for (let length = end.length; length > 0; length -= 1) {
    if (openings.some((one) => one.startsWith(end.slice(-length)))) return length;
  }
  return 0;
}
