import type { JsonValue } from '../../src/domain/json.ts';
import { createPythonReader, PythonSyntaxError, type PythonReader } from './python-text.ts';
import { takeParts, takeValue } from './python-value.ts';
import { toToolUse, type ToolUse, type ToolUseBlock } from './tool-use-block.ts';

/** The modules in whose name Gemma calls its tools. */
const modules = /^(?:default_api|tools|functions)\./;

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

/** A name with dots, colons and dashes, such as `server.get-sum`. */
const name = /[\p{L}_][\p{L}\p{N}_]*(?:[.:-][\p{L}\p{N}_]+)*/uy;

/**
 * Parses the inside of a block of Gemma: calls with named arguments in the syntax of Python, one after the other, in
 * a list or in `print()`. It only reads them; nothing is evaluated. A block that cannot be read has no call at all.
 */
export function parseToolCode(inner: string): ToolUseBlock[] {
  const reader = createPythonReader(inner);
  const calls: ToolUse[] = [];
  try {
    while (!reader.isAtEnd()) {
      if (reader.match(/print\s*\(/y)) {
        takeParts(reader, ')', () => calls.push(...takeCalls(reader)));
      } else calls.push(...takeCalls(reader));
      while (reader.take(';'));
    }
  } catch (error) {
    if (error instanceof PythonSyntaxError) return [{ reason: error.message }];
    throw error;
  }
  return calls.length > 0 ? calls.map((call) => ({ call })) : [{ reason: 'it has no call' }];
}

function takeCalls(reader: PythonReader): ToolUse[] {
  if (!reader.take('[')) return [takeCall(reader)];
  const calls: ToolUse[] = [];
  takeParts(reader, ']', () => calls.push(takeCall(reader)));
  return calls;
}

function takeCall(reader: PythonReader): ToolUse {
  const called = reader.match(name)?.[0] ?? reader.fail('calls such as name(argument="text")');
  reader.expect('(');
  const entries: [string, JsonValue][] = [];
  takeParts(reader, ')', () => {
    const key = reader.match(name)?.[0];
    if (key === undefined || !reader.take('=')) reader.fail('named arguments, such as name(argument="text")');
    entries.push([key, takeValue(reader)]);
  });
  // A dot separates a server from its tool, as a colon does.
  const id = called.replace(modules, '').replace('.', ':');
  return toToolUse(id, Object.fromEntries(entries));
}
