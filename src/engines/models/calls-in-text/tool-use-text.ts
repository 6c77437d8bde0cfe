import { createFenceTracker, findBacktickRuns } from './markdown-code.ts';
import { createCodeCloser } from './tool-code.ts';
import { createCallCloser } from './tool-call-json.ts';
import { parseToolUseBlock, type Block, type ToolUse, type ToolUseForm } from './tool-use-block.ts';

/** A block that cannot be read, with the reason for the model: "it has no <tool>". */
export interface MalformedToolUse {
  form: ToolUseForm;
  block: string;
  reason: string;
}

/** The tool calls of a text, and the text without them. */
export interface ParsedToolUse {
  text: string;
  calls: ToolUse[];
  malformed: MalformedToolUse[];
}

/**
 * Finds the tool calls in a model's text: `<tool_use>` blocks, in upper or lower case, with XML entities and CDATA;
 * `<tool_call>` blocks with JSON, as Hermes and Qwen write them; and fenced blocks of the language `tool_code`, as
 * Gemma writes them. Blocks in other Markdown code and mere mentions of the opening tag are ignored. A closed block is
 * removed from the text even when it is malformed; an unclosed one stays, since its end is unknown. The time is linear
 * in the length of any text.
 */
export function parseToolUse(text: string): ParsedToolUse {
  const parsed: ParsedToolUse = { text, calls: [], malformed: [] };
  if (!/<tool_use|<tool_call|tool_code/i.test(text)) return parsed;
  const kept: string[] = [];
  let last = 0;
  for (const { start, end, closed, form, contents } of findBlocks(text)) {
    for (const content of contents) {
      if ('call' in content) parsed.calls.push(content.call);
      else parsed.malformed.push({ form, block: text.slice(start, end), reason: content.reason });
    }
    if (!closed) continue;
    kept.push(text.slice(last, start));
    last = end;
  }
  if (last > 0) parsed.text = joinAround([...kept, text.slice(last)]);
  return parsed;
}

/** Joins the texts around the blocks, with an empty line where blocks were on separate lines. */
function joinAround(parts: string[]): string {
  return parts.reduce((text, part) => {
    const [before, after] = [text.trimEnd(), part.trimStart()];
    if (before === '' || after === '') return before + after;
    const gap = text.slice(before.length) + part.slice(0, part.length - after.length);
    return `${before}${gap.includes('\n') ? '\n\n' : ' '}${after}`;
  });
}

/** Finds the blocks in order. The position only moves forward, which keeps the time linear. */
function* findBlocks(text: string): Generator<Block> {
  const fences = createFenceTracker();
  const codeEnds = new Map(findBacktickRuns(text).map(({ start, codeEnd }) => [start, codeEnd]));
  const closeBlock = createBlockCloser(text);
  const closeCall = createCallCloser(text);
  const closeCode = createCodeCloser(text);
  const findMark = createForwardSearch(text, /`+|<tool_use(?=[\s/>])[^<>]*>|<tool_call>(?=\s*\{)/gi);
  const findLineEnd = createForwardSearch(text, /\n|$/g);
  let position = 0;
  let atLineStart = true;
  while (position < text.length) {
    const lineEnd = findLineEnd(position)?.index ?? text.length;
    const code = atLineStart && !fences.isInside() ? closeCode(position, lineEnd) : null;
    if (code) {
      yield code;
      position = code.end;
      continue;
    }
    const isCode: boolean = atLineStart && fences.takeLine(text.slice(position, lineEnd));
    const mark: RegExpExecArray | null = isCode ? null : findMark(position);
    atLineStart = mark === null || mark.index >= lineEnd;
    if (mark === null || mark.index >= lineEnd) {
      position = lineEnd + 1;
      continue;
    }
    position = mark.index + mark[0].length;
    if (mark[0].startsWith('`')) {
      position = codeEnds.get(mark.index) ?? position;
      continue;
    }
    const close = /^<tool_call/i.test(mark[0]) ? closeCall : closeBlock;
    const { blocks, end } = close(mark.index, position);
    yield* blocks;
    position = end;
  }
}

/** Finds the first match after a position. Positions only grow, so that no part of the text is searched twice. */
function createForwardSearch(text: string, pattern: RegExp) {
  let found: RegExpExecArray | null | undefined;
  return (from: number): RegExpExecArray | null => {
    if (found === undefined || (found !== null && found.index < from)) {
      pattern.lastIndex = from;
      found = pattern.exec(text);
    }
    return found;
  };
}

const child = /\s*<(?:server|tool|arguments|id)[\s/>]/iy;

/** Returns whether the text after an opening tag begins like a block and not like a sentence about the tag. */
function hasChild(text: string, innerStart: number): boolean {
  child.lastIndex = innerStart;
  return child.test(text);
}

/** Finds the end of a block. When it cannot be read and another block begins in it, it counts as not closed. */
function createBlockCloser(text: string) {
  const lastSection = text.lastIndexOf(']]>');
  let nothingCloses = false;

  const toUnclosed = (start: number, innerStart: number, end: number): Block[] =>
    hasChild(text, innerStart)
      ? [{ form, start, end, closed: false, contents: [{ reason: 'it is not closed with </tool_use>' }] }]
      : [];

  return (start: number, innerStart: number): { blocks: Block[]; end: number } => {
    if (text[innerStart - 2] === '/') return toClosed(start, innerStart, '');
    const { close, inner } = nothingCloses
      ? { close: null, inner: null }
      : findClose(text, innerStart, lastSection);
    if (!close) {
      nothingCloses = true;
      const blocks = toUnclosed(start, innerStart, text.length);
      return { blocks, end: blocks.length > 0 ? text.length : innerStart };
    }
    const end = close.index + close[0].length;
    const whole = toClosed(start, end, text.slice(innerStart, close.index));
    if (!inner || (whole.isReadable && hasChild(text, innerStart))) return whole;
    const last = toClosed(inner.index, end, text.slice(inner.index + inner[0].length, close.index));
    return { blocks: [...toUnclosed(start, innerStart, inner.index), ...last.blocks], end };
  };
}

const form = 'tool_use';

function toClosed(start: number, end: number, inner: string) {
  const content = parseToolUseBlock(inner);
  const block: Block = { form, start, end, closed: true, contents: [content] };
  return { blocks: [block], end, isReadable: 'call' in content };
}

/** Finds the closing tag of a block and the last block that begins before it. Tags within CDATA are ignored. */
function findClose(text: string, from: number, lastSection: number) {
  const marks = /<!\[CDATA\[|<\/tool_use\s*>|<tool_use(?=[\s/>])[^<>]*>/gi;
  marks.lastIndex = from;
  let inner: RegExpExecArray | null = null;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark[0].startsWith('</')) return { close: mark, inner };
    if (!mark[0].startsWith('<!')) inner = mark;
    else if (mark.index < lastSection) marks.lastIndex = text.indexOf(']]>', mark.index);
  }
  return { close: null, inner };
}
