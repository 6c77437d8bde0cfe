import type { JsonValue } from '../../../domain/json.ts';
import { toToolUse, type ToolUse, type ToolUseBlock } from './tool-use-block.ts';

/** Why a text is not the Python that was expected; the message goes to the model. */
class PythonSyntaxError extends Error {}

/** The deepest nesting of values that is accepted. */
const deepest = 64;

/** The modules in whose name Gemma calls its tools. */
const modules = /^(?:default_api|tools|functions)\./;

/** A name with dots, colons and dashes, such as `server.get-sum`. */
const name = /[\p{L}_][\p{L}\p{N}_]*(?:[.:-][\p{L}\p{N}_]+)*/uy;
const space = /(?:[ \t\r\n\f]+|#[^\n]*)*/y;
const print = /print\s*\(/y;
const number = /[-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?(?![\w.])/iy;
const constant = /(?:True|False|None|true|false|null)\b/y;
const stringStart = /([rRuU]?)("""|'''|"|')/y;

const constants: Readonly<Record<string, boolean>> = { True: true, true: true, False: false, false: false };
const escapes: Readonly<Record<string, string>> = {
  ...{ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', a: '\x07', '0': '\0', '\n': '' },
  ...{ '\\': '\\', '"': '"', "'": "'" },
};

/**
 * Reads calls with named arguments in the syntax of Python, one after the other, in a list or in `print()`. Their values
 * are strings, numbers, lists, tuples, dicts, `True`, `False` and `None`; nothing is evaluated. A text that cannot be read
 * has no call at all.
 */
export function parsePythonCalls(text: string): ToolUseBlock[] {
  try {
    const calls = readCalls(text);
    return calls.length > 0 ? calls.map((call) => ({ call })) : [{ reason: 'it has no call' }];
  } catch (error) {
    if (error instanceof PythonSyntaxError) return [{ reason: error.message }];
    throw error;
  }
}

function readCalls(text: string): ToolUse[] {
  const reader = createReader(text);
  const calls: ToolUse[] = [];
  const takeCall = () => calls.push(readCall(reader));
  const takeCalls = () => {
    if (reader.take('[')) reader.takeParts(']', takeCall);
    else takeCall();
  };
  while (!reader.isAtEnd()) {
    if (reader.match(print)) reader.takeParts(')', takeCalls);
    else takeCalls();
    while (reader.take(';'));
  }
  return calls;
}

function readCall(reader: Reader): ToolUse {
  const called = reader.match(name)?.[0] ?? reader.fail('calls such as name(argument="text")');
  reader.expect('(');
  const entries: [string, JsonValue][] = [];
  reader.takeParts(')', () => {
    const key = reader.match(name)?.[0];
    if (key === undefined || !reader.take('='))
      return reader.fail('named arguments, such as name(argument="text")');
    entries.push([key, readValue(reader, 0)]);
  });
  // A dot separates a server from its tool, as a colon does.
  return toToolUse(called.replace(modules, '').replace('.', ':'), Object.fromEntries(entries));
}

function readValue(reader: Reader, depth: number): JsonValue {
  if (depth > deepest) return reader.fail('less nesting');
  const closing = reader.take('[') ? ']' : reader.take('(') ? ')' : null;
  if (closing !== null) {
    const values: JsonValue[] = [];
    reader.takeParts(closing, () => values.push(readValue(reader, depth + 1)));
    return values;
  }
  if (reader.take('{')) {
    const entries: [string, JsonValue][] = [];
    reader.takeParts('}', () => {
      const key = readString(reader) ?? reader.fail('a string as key');
      reader.expect(':');
      entries.push([key, readValue(reader, depth + 1)]);
    });
    return Object.fromEntries(entries);
  }
  return readString(reader) ?? readNumber(reader) ?? readConstant(reader);
}

function readNumber(reader: Reader): number | undefined {
  const digits = reader.match(number)?.[0];
  if (digits === undefined) return undefined;
  const value = Number(digits.replaceAll('_', ''));
  return Number.isFinite(value) ? value : reader.fail('a number of usual size');
}

function readConstant(reader: Reader): boolean | null {
  const word = reader.match(constant)?.[0] ?? reader.fail('a value');
  return constants[word] ?? null;
}

/** Reads a string. As in Python, the backslash of an unknown escape stays. */
function readString(reader: Reader): string | undefined {
  const [, prefix = '', quote] = reader.match(stringStart) ?? [];
  if (quote === undefined) return undefined;
  const inside = reader.takeUntil(quote);
  if (/r/i.test(prefix)) return inside;
  return inside.replace(/\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|[\s\S])/gi, (whole) => {
    if (whole.length === 2) return escapes[whole.charAt(1)] ?? whole;
    const code = parseInt(whole.slice(2), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

type Reader = ReturnType<typeof createReader>;

/** Reads a text from its beginning to its end. White space and comments are skipped before each part. */
function createReader(text: string) {
  let position = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    space.lastIndex = position;
    position += space.exec(text)?.[0].length ?? 0;
    pattern.lastIndex = position;
    const found = pattern.exec(text);
    if (found) position += found[0].length;
    return found;
  };
  const fail = (expected: string): never => {
    const found = position < text.length ? JSON.stringify(text.slice(position, position + 20)) : 'its end';
    throw new PythonSyntaxError(`expected ${expected}, found ${found}`);
  };
  const take = (expected: string): boolean => {
    match(/(?:)/y);
    if (!text.startsWith(expected, position)) return false;
    position += expected.length;
    return true;
  };
  const expect = (expected: string) => take(expected) || fail(`"${expected}"`);
  return {
    ...{ match, fail, take, expect },
    isAtEnd: () => match(/$/y) !== null,
    /** Takes parts with commas between them, up to a closing bracket. */
    takeParts: (closing: string, takePart: () => void) => {
      while (!take(closing)) {
        takePart();
        if (!take(',')) return void expect(closing);
      }
    },
    /** Takes the inside of a string up to these quotes. */
    takeUntil: (quote: string): string => {
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
