import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { MaskingRules } from './masking-rules.ts';
import { replaceAtPath } from './path.ts';
import type { FoundValue } from './patterns.ts';
import { createValueFinder } from './value-finder.ts';

/**
 * A function of the operator. It returns a line with more values replaced; `replace` gives the replacement of a value,
 * which is then replaced in all texts of the conversation.
 */
export type MaskLine = (
  line: JsonObject,
  tools: { replace: (value: string, kind?: string) => string },
) => JsonObject | Promise<JsonObject>;

/** Replaces personal data in the lines of one file. */
export interface Masker {
  /** Masks the lines of one conversation. A value that a path finds in one of them is replaced in the texts of all. */
  maskConversation: (lines: JsonObject[]) => Promise<JsonObject[]>;
  /** The number of different values that were replaced. */
  count: () => number;
}

/** Creates a masker for one file. */
export function createMasker(rules: MaskingRules, maskLine?: MaskLine): Masker {
  const pseudonyms = createPseudonyms();
  return {
    maskConversation: async (lines) => {
      const known = new Map<string, string>();
      const marked: JsonObject[] = [];
      for (const line of lines) {
        const changed = maskLine ? await runMaskLine(maskLine, line, { pseudonyms, known }) : line;
        marked.push(maskPaths(rules, changed, { pseudonyms, known }));
      }
      const maskText = createTextMasker(rules, pseudonyms, known);
      return marked.map((line) => maskTexts(line, maskText));
    },
    count: pseudonyms.count,
  };
}

interface Found {
  pseudonyms: Pseudonyms;
  /** The values of this conversation that are known by now, with their kinds. */
  known: Map<string, string>;
}

async function runMaskLine(
  maskLine: MaskLine,
  line: JsonObject,
  { pseudonyms, known }: Found,
): Promise<JsonObject> {
  const replace = (value: string, kind = 'value') => {
    if (!/^[A-Za-z]\w{0,39}$/.test(kind)) throw new Error(`expected a word as kind, found "${kind}"`);
    known.set(value, kind);
    return pseudonyms.replace(value, kind);
  };
  const changed: unknown = await maskLine(structuredClone(line), { replace });
  if (isJsonObject(changed)) return changed;
  throw new Error('The masking function did not return a line: expected an object.');
}

function maskPaths({ paths }: MaskingRules, line: JsonObject, { pseudonyms, known }: Found): JsonObject {
  return paths.reduce<JsonObject>((masked, { kind, parts }) => {
    const replaced = replaceAtPath(masked, parts, (value) => {
      const text = String(value);
      if (isReplacement(text)) return value;
      known.set(text, kind);
      return pseudonyms.replace(text, kind);
    });
    return replaced as JsonObject;
  }, line);
}

/** A value that another path has replaced stays as it is. */
function isReplacement(text: string): boolean {
  return /^<[A-Za-z]\w{0,39}-\d+>$/.test(text);
}

type MaskText = (text: string) => string;

function createTextMasker({ patterns }: MaskingRules, pseudonyms: Pseudonyms, known: Map<string, string>) {
  const finder = createValueFinder(known);
  return (text: string): string => {
    const found = [finder, ...patterns].flatMap(({ find }) => find(text));
    return found.length === 0 ? text : replaceFound(text, found, pseudonyms);
  };
}

/** Of values that overlap, the first one counts, and of those that begin together the longest. */
function replaceFound(text: string, found: FoundValue[], pseudonyms: Pseudonyms): string {
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  const pieces: string[] = [];
  let end = 0;
  for (const value of found) {
    if (value.start < end) continue;
    pieces.push(text.slice(end, value.start));
    pieces.push(pseudonyms.replace(text.slice(value.start, value.end), value.kind));
    end = value.end;
  }
  return pieces.join('') + text.slice(end);
}

/** The fields that hold what people, models and tools said; ids, times, names and counts are left as they are. */
const textFields: Record<string, string[]> = {
  conversation: ['title', 'tags'],
  agent: ['instructions'],
  turn: ['answer', 'closing', 'error'],
  message: ['text', 'parts'],
};
const stepFields = ['text', 'addedInstructions'];
const callFields = ['arguments', 'invalidArguments', 'result', 'error'];

function maskTexts(line: JsonObject, maskText: MaskText): JsonObject {
  const parts = Object.entries(textFields).map(([name, fields]) => [
    name,
    maskFields(line[name], fields, maskText),
  ]);
  const steps = Array.isArray(line['steps']) ? line['steps'].map((step) => maskStep(step, maskText)) : [];
  const { compactions } = line;
  return {
    ...line,
    ...(Object.fromEntries(parts) as JsonObject),
    steps,
    ...(Array.isArray(compactions) && {
      compactions: compactions.map((one) => maskCompaction(one, maskText)),
    }),
  };
}

/** A summary repeats what people have said. */
function maskCompaction(compaction: JsonValue, maskText: MaskText): JsonValue {
  const masked = maskFields(compaction, ['error'], maskText);
  if (!isJsonObject(masked) || !isJsonObject(masked['summary'])) return masked;
  return { ...masked, summary: maskFields(masked['summary'], ['text'], maskText) };
}

function maskStep(step: JsonValue, maskText: MaskText): JsonValue {
  const masked = maskFields(step, stepFields, maskText);
  if (!isJsonObject(masked)) return masked;
  const { messages, toolCalls, providerContent = null } = masked;
  const calls = Array.isArray(toolCalls) ? toolCalls : [];
  const isSame = JSON.stringify(maskAll(providerContent, maskText)) === JSON.stringify(providerContent);
  return {
    ...masked,
    // The vendor signs this content, and would refuse a changed one.
    providerContent: isSame ? providerContent : null,
    ...(Array.isArray(messages) && {
      messages: messages.map((message) => maskFields(message, ['text', 'parts'], maskText)),
    }),
    toolCalls: calls.map((call) => maskFields(call, callFields, maskText)),
  };
}

function maskFields(value: JsonValue | undefined, fields: string[], maskText: MaskText): JsonValue {
  if (!isJsonObject(value)) return value ?? null;
  const masked = fields.flatMap((name) => {
    const inner = value[name];
    if (inner === undefined) return [];
    return [[name, name === 'parts' ? maskParts(inner, maskText) : maskAll(inner, maskText)]];
  });
  return { ...value, ...(Object.fromEntries(masked) as JsonObject) };
}

/** Masks what people wrote in parts. The ids and hashes of files stay, since digits in them are no numbers of people. */
function maskParts(parts: JsonValue, maskText: MaskText): JsonValue {
  if (!Array.isArray(parts)) return parts;
  return parts.map((part) => {
    const masked = maskFields(part, ['text', 'data', 'name'], maskText);
    if (!isJsonObject(masked) || !isJsonObject(masked['file'])) return masked;
    return { ...masked, file: maskFields(masked['file'], ['name'], maskText) };
  });
}

/** Masks all texts of a value, the names of its fields, and its numbers, which may be those of cards. */
function maskAll(value: JsonValue, maskText: MaskText): JsonValue {
  if (typeof value === 'string') return maskText(value);
  if (typeof value === 'number') {
    const text = maskText(String(value));
    return text === String(value) ? value : text;
  }
  if (Array.isArray(value)) return value.map((inner) => maskAll(inner, maskText));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [maskText(name), maskAll(inner, maskText)]);
  return Object.fromEntries(entries) as JsonValue;
}

/** The replacements of one file: equal values have equal ones. */
interface Pseudonyms {
  /** Returns the replacement of a value, such as `<email-1>`; the kind counts when the value is new. */
  replace: (value: string, kind: string) => string;
  /** The number of different values so far. */
  count: () => number;
}

/** Creates an empty set of replacements. */
function createPseudonyms(): Pseudonyms {
  const known = new Map<string, string>();
  const counts = new Map<string, number>();
  return {
    replace: (value, kind) => {
      const key = toKey(value);
      const found = known.get(key);
      if (found !== undefined) return found;
      const number = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, number);
      const replacement = `<${kind}-${number}>`;
      known.set(key, replacement);
      return replacement;
    },
    count: () => known.size,
  };
}

/** Values are equal whatever their case is, and numbers (of phones, cards, accounts) whatever separates their digits. */
function toKey(value: string): string {
  const text = value.normalize('NFC').trim().toLowerCase();
  const compact = text.replaceAll(/[\s()./-]/g, '');
  return /^\+?[a-z]{0,2}\d{6}[a-z\d]*$/.test(compact) ? compact : text;
}
