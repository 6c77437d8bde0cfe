import { createFenceTracker } from './markdown-code.ts';

const opening = '<tool_use';

/** The length of held-back trailing white space, in characters; the bound keeps the time linear. */
const maximumWhiteSpace = 200;

/**
 * Holds back text that may be a tool call while the answer is still being written: everything from `<tool_use` on
 * outside fenced code blocks, a beginning of that tag, and trailing white space, which is removed with a block. The
 * finished text contains the held-back text where it is no tool call.
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
      const before = line.slice(1 - opening.length);
      const place = fences.isInside()
        ? -1
        : (before + piece.slice(position, end)).toLowerCase().indexOf(opening);
      if (place >= 0) return position - before.length + place;
      line += piece.slice(position, end);
      position = end + 1;
      if (lineBreak < 0) break;
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
    const sure =
      holdsAll || fences.isInside() ? known : known.slice(0, known.length - lengthOfBeginning(known));
    const trimmed = sure.trimEnd();
    const shown = sure.length - trimmed.length > maximumWhiteSpace ? sure : trimmed;
    held = text.slice(shown.length);
    return shown;
  };
}

/** Returns how many characters at the end of a text may be the beginning of a block. */
function lengthOfBeginning(text: string): number {
  const end = text.slice(1 - opening.length).toLowerCase();
  for (let length = end.length; length > 0; length -= 1) {
    if (opening.startsWith(end.slice(-length))) return length;
  }
  return 0;
}
