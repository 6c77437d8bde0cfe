import { RE2JS } from 're2js';

/** Instructions of a compiled pattern; `^.{0,1000}$` has 2004. */
const maxProgramSize = 5_000;

/** Instructions times characters: about a third of a second at the worst. */
const maxWork = 50_000_000;

function compile(pattern: string): RE2JS {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  if (compiled.programSize() > maxProgramSize) throw new Error(`the pattern is too large: ${pattern}`);
  return compiled;
}

/** The reason why a pattern cannot be matched in bounded time; null when it can. */
export function refusalOfPattern(pattern: string): string | null {
  try {
    compile(pattern);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

interface Matcher {
  test: (text: string) => boolean;
  /** ajv takes two matchers for the same when their texts are. */
  toString: () => string;
}

function createMatcher(pattern: string): Matcher {
  const toString = () => pattern;
  if (refusalOfPattern(pattern) !== null) return { test: () => true, toString };
  const compiled = compile(pattern);
  const maxLength = maxWork / compiled.programSize();
  const test = (text: string): boolean => {
    // Neither true nor false would be safe: under `not` each means the opposite.
    if (text.length > maxLength) throw new RangeError(toTooLong(pattern, text));
    return compiled.matcher(text).find();
  };
  return { test, toString };
}

function toTooLong(pattern: string, { length }: string): string {
  return `a text of ${length} characters is too long to be matched against the pattern ${pattern}`;
}

/**
 * The regular expressions of ajv, matched in time linear to the text, so that no pattern of a schema can block
 * the process. A pattern that has no such form (look-around, back references, over 1000 repetitions) accepts
 * every text: the program that runs the tool checks its arguments again. A text that is too long for a pattern throws,
 * which refuses the arguments as a whole.
 */
export const linearRegExp = Object.assign(createMatcher, {
  // ajv writes this name into standalone code, which is not made here.
  code: 'linearRegExp',
});

/**
 * Whether a pattern matches the whole of a text, in time linear to it. Rules are enforced by this, so a match that cannot be
 * computed, because of the pattern or because the text is too long for it, is false.
 */
export function matchesWhole(pattern: string, text: string): boolean {
  try {
    const compiled = compile(pattern);
    return text.length <= maxWork / compiled.programSize() && compiled.matcher(text).matches();
  } catch {
    return false;
  }
}
