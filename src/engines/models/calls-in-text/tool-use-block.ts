import { isJsonObject, parseJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';

/** A tool call that a model wrote as text. */
export interface ToolUse {
  /** Empty when the model named a tool only. */
  server: string;
  tool: string;
  arguments: JsonObject;
  /** The model's own id for the call; null when it gave none. */
  id: string | null;
}

/** The call in a block, or the reason why it cannot be read. */
export type ToolUseBlock = { call: ToolUse } | { reason: string };

/** Makes a call of a name as models write it: `tool`, or `server:tool`. */
export function toToolUse(name: string, input: JsonObject): ToolUse {
  const colon = name.indexOf(':');
  const [server, tool] = colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)];
  return { server, tool, arguments: input, id: null };
}

/** Parses the JSON between `<tool_call>` and `</tool_call>`: `{ "name": …, "arguments": { … } }`. */
export function parseToolCallBlock(inner: string): ToolUseBlock {
  const object = parseLoosely(inner);
  if (!object) return { reason: 'it is not a JSON object' };
  const { name, arguments: given = object['parameters'] ?? {} } = object;
  if (typeof name !== 'string' || name.trim() === '') return { reason: 'it has no "name"' };
  // Some models write the arguments as a string with JSON in it.
  const input = typeof given === 'string' ? parseLoosely(given) : given;
  if (!isJsonObject(input) || isTooDeep(input)) return { reason: 'its "arguments" are not a JSON object' };
  return { call: toToolUse(name.trim(), input) };
}

function parseLoosely(text: string): JsonObject | null {
  return parseJsonObject(text) ?? parseJsonObject(escapeLineBreaks(text));
}

/** The forms in which models write tool calls as text. */
export type ToolUseForm = 'tool_use' | 'tool_call' | 'tool_code';

/** A block of tool calls at its place in the text. */
export interface Block {
  form: ToolUseForm;
  start: number;
  end: number;
  closed: boolean;
  contents: ToolUseBlock[];
}

type Fields = Partial<Record<'server' | 'tool' | 'arguments' | 'id', string>>;

/** The deepest nesting of arguments that is accepted. */
const deepest = 64;

/** Parses the text between `<tool_use>` and `</tool_use>`. */
export function parseToolUseBlock(inner: string): ToolUseBlock {
  const fields = readFields(inner);
  if (typeof fields === 'string') return { reason: fields };
  const [server, tool, id] = [fields.server, fields.tool, fields.id].map((raw) => toText(raw ?? '').trim());
  if (!server) return { reason: 'it has no <server>' };
  if (!tool) return { reason: 'it has no <tool>' };
  const input = parseArguments(fields.arguments ?? '');
  if (input === null) return { reason: 'its <arguments> are not a JSON object' };
  return { call: { server, tool, arguments: input, id: id === undefined || id === '' ? null : id } };
}

/** Returns the raw contents of the child elements, in any order, or a sentence about why they cannot be read. */
function readFields(inner: string): Fields | string {
  const fields: Fields = {};
  const opening = /<(server|tool|arguments|id)(?:\s[^<>]*)?>/gi;
  const endOfArguments = inner.toLowerCase().lastIndexOf('</arguments');
  for (let match = opening.exec(inner); match; match = opening.exec(inner)) {
    const name = (match[1] ?? '').toLowerCase() as keyof Fields;
    if (fields[name] !== undefined) return `it has two <${name}>`;
    if (match[0].endsWith('/>')) {
      fields[name] = '';
      continue;
    }
    const start = opening.lastIndex;
    // Text in arguments may look like a tag, so the last closing tag counts.
    const end = name === 'arguments' ? endOfArguments : findEnd(inner, name, start);
    if (end < start) return `its <${name}> is not closed`;
    fields[name] = inner.slice(start, end);
    opening.lastIndex = end + name.length + 2;
  }
  return fields;
}

function findEnd(inner: string, name: string, start: number): number {
  const closing = new RegExp(`</${name}\\s*>`, 'gi');
  closing.lastIndex = start;
  return closing.exec(inner)?.index ?? -1;
}

/** Returns the text of XML content: CDATA unchanged, entities decoded. */
function toText(raw: string): string {
  let text = '';
  let position = 0;
  for (;;) {
    const start = raw.indexOf('<![CDATA[', position);
    const end = start < 0 ? -1 : raw.indexOf(']]>', start);
    if (end < 0) return text + decodeEntities(raw.slice(position));
    text += decodeEntities(raw.slice(position, start)) + raw.slice(start + '<![CDATA['.length, end);
    position = end + ']]>'.length;
  }
}

const named: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,5});/gi, (whole, entity: string) => {
    if (!entity.startsWith('#')) return named[entity.toLowerCase()] ?? whole;
    const isHex = entity.charAt(1).toLowerCase() === 'x';
    const code = isHex ? parseInt(entity.slice(2), 16) : Number(entity.slice(1));
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : whole;
  });
}

/** Parses arguments. Models write this JSON unescaped, with XML entities, or with raw line breaks in strings. */
function parseArguments(raw: string): JsonObject | null {
  const text = toText(raw);
  if (text.trim() === '') return {};
  const parsed =
    parseJsonObject(text) ??
    mapTexts(parseJsonObject(raw), decodeEntities) ??
    parseJsonObject(escapeLineBreaks(text)) ??
    mapTexts(parseJsonObject(escapeLineBreaks(raw)), decodeEntities);
  return parsed && !isTooDeep(parsed) ? parsed : null;
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Escapes raw line breaks and tabs inside JSON strings, as JSON requires. */
function escapeLineBreaks(text: string): string {
  const parts: string[] = [];
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"') inString = !inString;
    const isEscape = inString && character === '\\';
    parts.push(
      isEscape ? text.slice(index, index + 2) : inString ? (escapes[character] ?? character) : character,
    );
    if (isEscape) index += 1;
  }
  return parts.join('');
}

function isTooDeep(value: JsonValue): boolean {
  let level: JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}

function mapTexts(object: JsonObject | null, change: (text: string) => string): JsonObject | null {
  if (!object || isTooDeep(object)) return null;
  const mapValue = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return change(value);
    if (Array.isArray(value)) return value.map(mapValue);
    return isJsonObject(value) ? mapObject(value) : value;
  };
  const mapObject = (value: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(value).map(([key, part]) => [change(key), mapValue(part)]));
  return mapObject(object);
}
