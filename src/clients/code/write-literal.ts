import { isJsonObject, type JsonValue } from '../../domain/json.ts';

/** The width up to which an object or a list stands on one line. */
const lineWidth = 100;

/** Code that is written as it is, in place of a value. */
export class Code {
  /** Writes the code; `indent` is that of the line on which it begins. */
  readonly write: (indent: string) => string;

  constructor(write: (indent: string) => string) {
    this.write = write;
  }
}

/** A value that can be written: JSON, or code in its place. Fields that are undefined are left out. */
export type Writable = JsonValue | Code | undefined | Writable[] | { [name: string]: Writable };

/** Writes a value as code. `indent` is that of the line on which it begins. */
export function writeLiteral(value: Writable, indent = ''): string {
  if (value instanceof Code) return value.write(indent);
  if (typeof value === 'string') return value.includes('\n') ? writeText(value) : quote(value);
  if (Array.isArray(value)) {
    const inner = value.map((part) => (deeper: string) => writeLiteral(part, deeper));
    const isLong = value.some((part) => part instanceof Code);
    return writeBlock(inner, { brackets: '[]', padding: '', indent, isLong });
  }
  if (isRecord(value)) {
    const entries = Object.entries(value).filter(([, part]) => part !== undefined);
    const inner = entries.map(
      ([name, part]) =>
        (deeper: string) =>
          `${writeName(name)}: ${writeLiteral(part, deeper)}`,
    );
    return writeBlock(inner, { brackets: '{}', padding: ' ', indent });
  }
  return JSON.stringify(value ?? null);
}

function isRecord(value: Writable): value is { [name: string]: Writable } {
  return isJsonObject(value);
}

interface Block {
  brackets: string;
  /** Between the brackets and the parts on one line. */
  padding: string;
  indent: string;
  /** Whether each part has its own line, however short it is. */
  isLong?: boolean;
}

type WritePart = (indent: string) => string;

/** Writes the parts on one line where they fit, else one line each. */
function writeBlock(parts: WritePart[], { brackets, padding, indent, isLong = false }: Block): string {
  const [open = '', close = ''] = brackets;
  if (parts.length === 0) return brackets;
  const inLine = `${open}${padding}${parts.map((write) => write(indent)).join(', ')}${padding}${close}`;
  if (!isLong && inLine.length + indent.length <= lineWidth && !inLine.includes('\n')) return inLine;
  const deeper = `${indent}  `;
  return `${open}\n${parts.map((write) => `${deeper}${write(deeper)},\n`).join('')}${indent}${close}`;
}

/** A name in brackets is a field; without them `__proto__` would set the prototype. */
function writeName(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

function quote(text: string): string {
  const inner = escape(JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"'));
  return inner.includes("'") && !inner.includes('"') ? `"${inner}"` : `'${inner.replaceAll("'", "\\'")}'`;
}

/** Several lines as a template. A carriage return in one would become a line feed. */
function writeText(text: string): string {
  if (text.includes('\r')) return quote(text);
  const lines = text.split('\n').map((line) => {
    const inner = escape(JSON.stringify(line).slice(1, -1).replaceAll('\\"', '"'));
    return inner.replaceAll('`', '\\`').replaceAll('${', '\\${');
  });
  return `\`${lines.join('\n')}\``;
}

/** Escapes characters that are invisible in a file. */
function escape(text: string): string {
  return text.replaceAll(
    /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/g,
    (character) => {
      const code = character.charCodeAt(0).toString(16);
      return `\\u${code.padStart(4, '0')}`;
    },
  );
}
