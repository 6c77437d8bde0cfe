import { isJsonObject, type JsonObject, type JsonValue } from '../../src/domain/json.ts';
import type { VendorName } from '../servers/vendor-answers.ts';

/** The parts of a request that a vendor compares with those before, in the order in which it caches them. */
export interface RequestPrefix {
  /** The tools and the instructions, as JSON. */
  head: string;
  /** Each part of the messages, as JSON. */
  parts: string[];
}

/** Reads a request without the marks of caches, which are no part of what is compared. */
export function readPrefix(vendor: VendorName, body: JsonObject): RequestPrefix {
  const { head, messages } = readers[vendor](body);
  return { head: toText(head), parts: messages.map(toText) };
}

const readers: Record<VendorName, (body: JsonObject) => { head: JsonValue; messages: JsonValue[] }> = {
  openai: ({ tools = null, input, text = null }) => {
    const [instructions = null, ...messages] = toList(input);
    return { head: [tools, text, instructions], messages };
  },
  anthropic: ({ tools = null, system = null, messages, output_config: format = null }) => ({
    head: [tools, system, format],
    messages: toList(messages).flatMap(toParts('content')),
  }),
  google: ({ tools = null, systemInstruction = null, contents }) => ({
    head: [systemInstruction, tools],
    messages: toList(contents).flatMap(toParts('parts')),
  }),
  compatible: ({ tools = null, messages }) => {
    const [instructions = null, ...rest] = toList(messages);
    return { head: [tools, instructions], messages: rest };
  },
};

function toList(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** Messages of one role are one to these vendors, so their parts are compared. */
function toParts(field: string) {
  return (message: JsonValue): JsonValue[] => {
    if (!isJsonObject(message)) return [];
    return toList(message[field]).map((part) => [message['role'] ?? null, part]);
  };
}

function toText(value: JsonValue): string {
  return JSON.stringify(value, (key, part: unknown) => (key === 'cache_control' ? undefined : part));
}

/** Finds the first part in which a request differs from the beginning that the one before it had; null when none does. */
export function findChange(before: RequestPrefix, after: RequestPrefix): string | null {
  if (before.head !== after.head) return `head: ${before.head} became ${after.head}`;
  const index = before.parts.findIndex((part, position) => part !== after.parts[position]);
  return index < 0
    ? null
    : `part ${index}: ${before.parts[index] ?? ''} became ${after.parts[index] ?? 'nothing'}`;
}
