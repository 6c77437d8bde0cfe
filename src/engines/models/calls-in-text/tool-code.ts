import { createFenceTracker } from './markdown-code.ts';
import { parsePythonCalls } from './python-calls.ts';
import type { Block } from './tool-use-block.ts';

const opening = /^ {0,3}(`{3,16}|~{3,16})[ \t]{0,8}tool_code[ \t\r]*$/i;
const beginOfOpening = /^ {0,3}(`{1,16}|~{1,16})[ \t]{0,8}(\S{0,9})[ \t\r]*$/;

/** Returns whether a line opens a fenced block of Gemma's calls. */
export function opensToolCode(line: string): boolean {
  return opening.test(line);
}

/** Returns whether more text could make a line one that opens such a block. */
export function mayOpenToolCode(line: string): boolean {
  const [, fence = '', word = ''] = beginOfOpening.exec(line) ?? [];
  if (fence === '') return false;
  return word === '' || (fence.length >= 3 && 'tool_code'.startsWith(word.toLowerCase()));
}

/** Creates a function that reads the block that begins on a line of a text; null when none does. */
export function createCodeCloser(text: string) {
  return (start: number, lineEnd: number): Block | null => {
    const line = text.slice(start, lineEnd);
    if (!opensToolCode(line)) return null;
    const fences = createFenceTracker();
    fences.takeLine(line);
    for (let position = lineEnd + 1; position <= text.length;) {
      const next = text.indexOf('\n', position);
      const end = next < 0 ? text.length : next;
      fences.takeLine(text.slice(position, end));
      if (!fences.isInside()) {
        const contents = parsePythonCalls(text.slice(lineEnd + 1, position));
        return { form: 'tool_code', start, end, closed: true, contents };
      }
      position = end + 1;
    }
    const contents = [{ reason: 'its fence is not closed' }];
    return { form: 'tool_code', start, end: text.length, closed: false, contents };
  };
}
