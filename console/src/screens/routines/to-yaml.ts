import type { JsonObject, JsonValue } from '../../api/types.ts';

/** The fields of the standard in the order in which people write them; the API does not keep that of the document. */
const order = [
  ...['document', 'dsl', 'namespace', 'name', 'version', 'title', 'summary', 'input', 'use', 'if', 'when'],
  ...[
    'errors',
    'as',
    'exceptWhen',
    'retry',
    'call',
    'with',
    'set',
    'switch',
    'for',
    'each',
    'in',
    'at',
    'while',
  ],
  ...[
    'fork',
    'compete',
    'branches',
    'try',
    'catch',
    'listen',
    'emit',
    'raise',
    'run',
    'wait',
    'do',
    'output',
  ],
  ...['export', 'timeout', 'then', 'agentId', 'message', 'question', 'options', 'method', 'endpoint', 'uri'],
  ...['headers', 'query', 'body', 'type', 'required', 'properties'],
];

/** Writes an object as YAML that reads back as the same object. */
export function toYaml(value: JsonObject): string {
  return `${listLines(value).join('\n')}\n`;
}

/** The lines of a value that stands below its name. */
function listLines(value: JsonObject | JsonValue[]): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => toItem(item));
  return sortFields(value).flatMap(([name, field]) => toField(name, field));
}

function sortFields(value: JsonObject): [string, JsonValue][] {
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.entries(value).toSorted(([one], [other]) => rank(one) - rank(other));
}

function toField(name: string, value: JsonValue): string[] {
  const key = `${toScalar(name)}:`;
  if (isBranch(value)) return [key, ...indent(listLines(value))];
  const [first = '', ...rest] = toInline(value);
  return [`${key} ${first}`, ...indent(rest)];
}

function toItem(value: JsonValue): string[] {
  const [first = '', ...rest] = isBranch(value) ? listLines(value) : toInline(value);
  return [`- ${first}`, ...indent(rest)];
}

const indent = (lines: readonly string[]) => lines.map((line) => (line === '' ? '' : `  ${line}`));

/** Whether a value stands on lines of its own: an object or list that is neither empty nor a short list of scalars. */
function isBranch(value: JsonValue): value is JsonObject | JsonValue[] {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length > 0 && !isShortList(value);
  return Object.keys(value).length > 0;
}

function isShortList(value: readonly JsonValue[]): boolean {
  const isFlat = value.every((item) => typeof item !== 'object' || item === null);
  return isFlat && JSON.stringify(value).length <= 60;
}

/** A value that begins on the line of its name: a text of several lines continues below it. */
function toInline(value: JsonValue): string[] {
  if (Array.isArray(value)) return [`[${value.map(toFlow).join(', ')}]`];
  if (typeof value === 'object' && value !== null) return ['{}'];
  if (typeof value !== 'string') return [JSON.stringify(value)];
  if (isBlockText(value)) return [value.endsWith('\n') ? '|' : '|-', ...value.replace(/\n$/, '').split('\n')];
  return [toScalar(value)];
}

const toFlow = (value: JsonValue) =>
  typeof value === 'string' && !value.includes(',') ? toScalar(value) : JSON.stringify(value);

/** Whether a text can be written as a block: no line of it would be read in another way. */
function isBlockText(text: string): boolean {
  const isPrintable = !/[^\P{C}\n]/u.test(text) && !/[\u2028\u2029\uFEFF]/.test(text);
  return isPrintable && /\n./.test(text) && !/^\s|\n\n$|[ \t]\n|[ \t]$/.test(text);
}

/** Texts that are read as the same text without quotes: words, sentences, paths and comparisons. */
const plain = /^[A-Za-z_./$][\w ./$,()?!+*<>=-]*$/;
const ambiguous = /^(true|false|null|yes|no|on|off|y|n|\.inf|\.nan|\.[\d]+.*)$/i;

function toScalar(text: string): string {
  if (plain.test(text) && !ambiguous.test(text) && !text.endsWith(' ')) return text;
  if (!/[^\P{C}]|[\u2028\u2029\uFEFF]/u.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return JSON.stringify(text);
}
