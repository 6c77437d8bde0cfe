import { createFenceTracker } from './markdown-code.ts';

const opening = '<tool_use';

/** More of it than this is no longer held back, so that the time stays linear. */
const mostWhiteSpace = 200;

/**
 * Holds back what may be a tool call in a text that is still being written: everything from `<tool_use` on when it is
 * not in a fenced code block, what may become that, and white space at the end, which goes with a block. What is held
 * back is in the finished text, if it belongs there.
 */
export function createToolUseFilter(): (delta: string) => string {
  const fences = createFenceTracker();
  let line = '';
  let held = '';
  let holdsAll = false;

  /** The number of characters of a piece that may be shown before a block begins in it. */
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
    const shown = sure.length - trimmed.length > mostWhiteSpace ? sure : trimmed;
    held = text.slice(shown.length);
    return shown;
  };
}

/** The number of characters at the end of a text that may be the beginning of a block. */
function lengthOfBeginning(text: string): number {
  const end = text.slice(1 - opening.length).toLowerCase();
  for (let length = end.length; length > 0; length -= 1) {
    if (opening.startsWith(end.slice(-length))) return length;
  }
  return 0;
}
