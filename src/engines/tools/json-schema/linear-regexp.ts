import { RE2JS } from 're2js';

/** Instructions of a compiled pattern; `^.{0,1000}$` has 2004. */
const maxProgramSize = 5_000;

/** Instructions times characters: about a third of a second at the worst. */
const maxWork = 50_000_000;

/** A pattern that is matched in time linear to the text. */
interface LinearPattern {
  /** Whether the pattern matches a part of the text, or with `whole` all of it. */
  matches: (text: string, whole?: boolean) => boolean;
  /** The longest text that it is matched against. */
  maxLength: number;
}

function compile(pattern: string): LinearPattern {
  const { conditions, rest } = splitConditions(pattern);
  const compiled = RE2JS.compile(RE2JS.translateRegExp(rest));
  const compiledConditions = conditions.map(({ body, isMet }) => ({
    starts: RE2JS.compile(RE2JS.translateRegExp(`^(?:${body})`)),
    isMet,
  }));
  const sizes = [compiled, ...compiledConditions.map(({ starts }) => starts)].map((one) => one.programSize());
  const size = sizes.reduce((sum, one) => sum + one, 0);
  if (size > maxProgramSize) throw new Error(`the pattern is too large: ${pattern}`);
  return {
    maxLength: maxWork / size,
    matches: (text, whole = false) => {
      const matcher = compiled.matcher(text);
      const isMatch = whole ? matcher.matches() : matcher.find();
      return (
        isMatch && compiledConditions.every(({ starts, isMet }) => starts.matcher(text).find() === isMet)
      );
    },
  };
}

interface SplitPattern {
  /** The patterns that have to match at the start of the text (`isMet`), or must not. */
  conditions: { body: string; isMet: boolean }[];
  rest: string;
}

/**
 * Splits look-aheads off that stand directly behind `^`, as pydantic writes them for decimals and people for passwords: each
 * is a condition on the start of the text, which can be matched apart from the rest.
 */
function splitConditions(pattern: string): SplitPattern {
  const conditions: SplitPattern['conditions'] = [];
  let rest = pattern.startsWith('^') ? pattern.slice(1) : '';
  for (let kind = rest.slice(0, 3); kind === '(?=' || kind === '(?!'; kind = rest.slice(0, 3)) {
    const { closes } = scan(rest);
    // A repeated look-ahead may be left out.
    if (closes === -1 || /^[*+?{]/.test(rest.slice(closes + 1))) return { conditions: [], rest: pattern };
    conditions.push({ body: rest.slice(3, closes), isMet: kind === '(?=' });
    rest = rest.slice(closes + 1);
  }
  // The conditions would be those of the first alternative only.
  if (conditions.length === 0 || scan(rest).hasAlternatives) return { conditions: [], rest: pattern };
  return { conditions, rest: `^${rest}` };
}

/** Finds where the first group of a pattern closes, and whether there are alternatives outside of all groups. */
function scan(pattern: string): { closes: number; hasAlternatives: boolean } {
  let depth = 0;
  let isClass = false;
  let closes = -1;
  let hasAlternatives = false;
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index];
    if (character === '\\') index += 1;
    else if (isClass) isClass = character !== ']';
    else if (character === '[') isClass = true;
    else if (character === '(') depth += 1;
    else if (character === ')') {
      depth -= 1;
      if (depth === 0 && closes === -1) closes = index;
    } else if (character === '|' && depth === 0) hasAlternatives = true;
  }
  return { closes, hasAlternatives };
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
  const { matches, maxLength } = compile(pattern);
  const test = (text: string): boolean => {
    // Neither true nor false would be safe: under `not` each means the opposite.
    if (text.length > maxLength) throw new RangeError(toTooLong(pattern, text));
    return matches(text);
  };
  return { test, toString: () => pattern };
}

function toTooLong(pattern: string, { length }: string): string {
  return `a text of ${length} characters is too long to be matched against the pattern ${pattern}`;
}

/**
 * The regular expressions of ajv, matched in time linear to the text, so that no pattern of a schema can block
 * the process. A pattern that has no such form throws; `withoutUnusablePatterns` leaves these out of a schema. A text that
 * is too long for a pattern throws, which refuses the arguments as a whole.
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
    const { matches, maxLength } = compile(pattern);
    return text.length <= maxLength && matches(text, true);
  } catch {
    return false;
  }
}
