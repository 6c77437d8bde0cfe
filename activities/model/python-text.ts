/** Why a text is not the Python that was expected; the message goes to the model. */
export class PythonSyntaxError extends Error {}

/** Reads Python from a text, from its begin to its end. White space and comments are skipped before each part. */
export interface PythonReader {
  isAtEnd: () => boolean;
  /** Takes what matches a sticky pattern; null when it does not match. */
  match: (pattern: RegExp) => RegExpExecArray | null;
  /** Takes a text when it comes next. */
  take: (expected: string) => boolean;
  /** Takes a text. @throws PythonSyntaxError when something else comes next */
  expect: (expected: string) => void;
  /** Takes the inside of a string up to these quotes. @throws PythonSyntaxError when they do not come */
  takeUntil: (quote: string) => string;
  /** Throws PythonSyntaxError with what was expected, and what was found. */
  fail: (expected: string) => never;
}

const space = /(?:[ \t\r\n\f]+|#[^\n]*)*/y;

/** Creates a reader of a text. */
export function createPythonReader(text: string): PythonReader {
  let position = 0;

  const skip = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const found = pattern.exec(text);
    if (found) position += found[0].length;
    return found;
  };
  const match = (pattern: RegExp) => {
    skip(space);
    return skip(pattern);
  };
  const fail = (expected: string): never => {
    const found = position < text.length ? JSON.stringify(text.slice(position, position + 20)) : 'its end';
    throw new PythonSyntaxError(`expected ${expected}, found ${found}`);
  };
  const take = (expected: string): boolean => {
    skip(space);
    if (!text.startsWith(expected, position)) return false;
    position += expected.length;
    return true;
  };
  return {
    ...{ match, fail, take },
    isAtEnd: () => {
      skip(space);
      return position >= text.length;
    },
    expect: (expected) => {
      if (!take(expected)) fail(`"${expected}"`);
    },
    takeUntil: (quote) => {
      const end = findStringEnd(text, position, quote) ?? fail(`a string that ends with ${quote}`);
      const inside = text.slice(position, end);
      position = end + quote.length;
      return inside;
    },
  };
}

/** Finds the quotes that end a string. A string in single quotes ends on its line. */
function findStringEnd(text: string, start: number, quote: string): number | undefined {
  for (let index = start; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '\\') index += 1;
    else if (text.startsWith(quote, index)) return index;
    else if (character === '\n' && quote.length === 1) return undefined;
  }
  return undefined;
}
