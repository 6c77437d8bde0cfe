import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import type { PythonReader } from './python-text.ts';

/** The deepest nesting of values that is accepted. */
const deepest = 64;

const number = /[-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?(?![\w.])/iy;
const constant = /(?:True|False|None|true|false|null)\b/y;
const constants: Readonly<Record<string, boolean | null>> = {
  ...{ True: true, true: true, False: false, false: false, None: null, null: null },
};
const stringStart = /([rRuU]?)("""|'''|"|')/y;

/**
 * Takes a literal of Python: a string, a number, a list, a tuple, a dict, `True`, `False` or `None`.
 * @throws PythonSyntaxError
 */
export function takeValue(reader: PythonReader, depth = 0): JsonValue {
  if (depth > deepest) return reader.fail('less nesting');
  if (reader.take('[')) return takeList(reader, ']', depth);
  if (reader.take('(')) return takeList(reader, ')', depth);
  if (reader.take('{')) return takeDict(reader, depth);
  const string = takeString(reader);
  if (string !== undefined) return string;
  const digits = reader.match(number)?.[0];
  if (digits !== undefined) return toNumber(digits) ?? reader.fail('a number of usual size');
  const name = reader.match(constant)?.[0];
  return name === undefined ? reader.fail('a value') : (constants[name] ?? null);
}

/** Takes parts with commas between them, up to a closing bracket. */
export function takeParts(reader: PythonReader, closing: string, takePart: () => void): void {
  while (!reader.take(closing)) {
    takePart();
    if (reader.take(',')) continue;
    reader.expect(closing);
    return;
  }
}

function takeList(reader: PythonReader, closing: string, depth: number): JsonValue[] {
  const values: JsonValue[] = [];
  takeParts(reader, closing, () => values.push(takeValue(reader, depth + 1)));
  return values;
}

function takeDict(reader: PythonReader, depth: number): JsonObject {
  const entries: [string, JsonValue][] = [];
  takeParts(reader, '}', () => {
    const key = takeString(reader) ?? reader.fail('a string as key');
    reader.expect(':');
    entries.push([key, takeValue(reader, depth + 1)]);
  });
  return Object.fromEntries(entries);
}

function takeString(reader: PythonReader): string | undefined {
  const [, prefix = '', quote] = reader.match(stringStart) ?? [];
  if (quote === undefined) return undefined;
  const inside = reader.takeUntil(quote);
  return /r/i.test(prefix) ? inside : decodeEscapes(inside);
}

function toNumber(digits: string): number | undefined {
  const value = Number(digits.replaceAll('_', ''));
  return Number.isFinite(value) ? value : undefined;
}

const escapes: Readonly<Record<string, string>> = {
  ...{ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', a: '\x07', '0': '\0', '\n': '' },
  ...{ '\\': '\\', '"': '"', "'": "'" },
};

/** Decodes the escapes of a string. As in Python, the backslash of an unknown one stays. */
function decodeEscapes(inside: string): string {
  return inside.replace(/\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|[\s\S])/gi, (whole) => {
    if (whole.length === 2) return escapes[whole.charAt(1)] ?? whole;
    const code = parseInt(whole.slice(2), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
