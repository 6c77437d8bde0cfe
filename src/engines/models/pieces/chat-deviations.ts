import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';

/** A way in which servers deviate from Chat Completions that is taken nevertheless. */
interface Deviation {
  /** Names the form that the server writes, and how it is read. docs/models.md lists all of them. */
  name: string;
  mend: (chunk: JsonObject) => JsonObject;
}

/**
 * All deviations that are taken. One odd field would lose an answer that is paid for, in each of several attempts, since the
 * AI SDK refuses the whole event.
 * See https://platform.openai.com/docs/api-reference/chat-streaming/streaming.
 */
export const chatDeviations: readonly Deviation[] = [
  {
    name: 'Counts of `usage` as texts are numbers; other values are missing',
    mend: withField('usage', toUsage),
  },
  {
    name: '`choices` that are null or missing are empty',
    mend: withoutError(withValue('choices', (value) => (Array.isArray(value) ? value : []))),
  },
  {
    name: '`arguments` as an object are its JSON',
    mend: withFunctions(withField('arguments', (value) => (isText(value) ? value : JSON.stringify(value)))),
  },
  { name: '`tool_calls` as one object are a list of it', mend: withDelta(withField('tool_calls', toList)) },
  {
    name: '`function` that is null or missing is empty',
    mend: withCalls(withValue('function', (value) => value ?? {})),
  },
  { name: '`index` of a tool call as a text is a number', mend: withCalls(withField('index', toCount)) },
  {
    name: '`id` and `model` as numbers are texts',
    mend: (chunk) => withCalls(withTexts('id'))(withTexts('id', 'model')(chunk)),
  },
  { name: '`created` as a text is a number', mend: withField('created', toCount) },
  {
    name: 'Another `role` than `assistant` is ignored',
    mend: withDelta(withField('role', () => 'assistant')),
  },
  {
    name: 'An empty `finish_reason` is none',
    mend: withEachChoice(withField('finish_reason', (value) => (value === '' ? null : value))),
  },
  {
    name: '`reasoning` and `reasoning_content` that are no texts are ignored',
    mend: withDelta((delta) => {
      const toText = (value: JsonValue) => (isText(value) ? value : null);
      return withField('reasoning', toText)(withField('reasoning_content', toText)(delta));
    }),
  },
  {
    name: '`error` as a text is its message; a null is none',
    mend: ({ error, ...chunk }) => {
      if (error === undefined || error === null) return chunk;
      return { ...chunk, error: isText(error) ? { message: error } : error };
    },
  },
];

/** Returns a chunk in the form of the protocol. */
export function toStandardChunk(chunk: JsonObject): JsonObject {
  return chatDeviations.reduce((mended, { mend }) => mend(mended), chunk);
}

type Change = (part: JsonObject) => JsonObject;

/** Changes a field where it is present and not null. */
function withField(name: string, change: (value: JsonValue) => JsonValue): Change {
  return (part) => (isEmpty(part[name]) ? part : withValue(name, change)(part));
}

/** Sets a field by its value, which is null where the field is missing. */
function withValue(name: string, change: (value: JsonValue) => JsonValue): Change {
  return (part) => ({ ...part, [name]: change(part[name] ?? null) });
}

function withTexts(...names: string[]): Change {
  return (part) =>
    names.reduce(
      (changed, name) => withField(name, (value) => (isText(value) ? value : JSON.stringify(value)))(changed),
      part,
    );
}

function withoutError(change: Change): Change {
  return (chunk) => (isEmpty(chunk['error']) ? change(chunk) : chunk);
}

function withEachChoice(change: Change): Change {
  return withEach('choices', change);
}

function withDelta(change: Change): Change {
  return withEachChoice(withObject('delta', change));
}

function withCalls(change: Change): Change {
  return withDelta(withEach('tool_calls', change));
}

function withFunctions(change: Change): Change {
  return withCalls(withObject('function', change));
}

function withEach(name: string, change: Change): Change {
  return (part) => {
    const list = part[name];
    if (!Array.isArray(list)) return part;
    return { ...part, [name]: list.map((each) => (isJsonObject(each) ? change(each) : each)) };
  };
}

function withObject(name: string, change: Change): Change {
  return (part) => (isJsonObject(part[name]) ? { ...part, [name]: change(part[name]) } : part);
}

/** Changes the counts of a report, and those of the details in it. */
function toUsage(usage: JsonValue): JsonValue {
  if (!isJsonObject(usage)) return null;
  return Object.fromEntries(
    Object.entries(usage).map(([name, value]) => {
      if (name.endsWith('_tokens')) return [name, toCount(value)];
      return [name, name.endsWith('_details') ? toUsage(value) : value];
    }),
  );
}

function toCount(value: JsonValue): JsonValue {
  const count = isText(value) && value.trim() !== '' ? Number(value) : value;
  return typeof count === 'number' && Number.isFinite(count) ? count : null;
}

function toList(value: JsonValue): JsonValue {
  return Array.isArray(value) ? value : [value];
}

function isText(value: JsonValue): value is string {
  return typeof value === 'string';
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}
