import type { JsonObject } from '../domain/json.ts';
import { toOneLine } from '../domain/text.ts';

/** The arguments that tell most of a call, best first. */
const tellingNames = [
  'channel',
  'to',
  'recipient',
  'expression',
  'query',
  'q',
  'url',
  'path',
  'file',
  'title',
  'subject',
  'name',
  'email',
  'timeZone',
  'id',
  'message',
  'text',
];

const secretName = /pass|secret|token|api_?key|authorization|credential|cookie/i;

function rankOf(name: string): number {
  const rank = tellingNames.indexOf(name);
  return rank === -1 ? tellingNames.length : rank;
}

/** A query string is where URLs carry their secrets. */
function withoutSecrets(text: string): string {
  const url = /^https?:/i.test(text) ? URL.parse(text) : null;
  return url ? `${url.origin}${url.pathname}` : text;
}

/** One line on a tool call, of at most 120 characters: its name and the argument that tells most of it. */
export function summarizeToolCall(name: string, toolArguments: JsonObject | null): string {
  const [telling] = Object.entries(toolArguments ?? {})
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].trim() !== '')
    .filter(([argument]) => !secretName.test(argument))
    .sort(
      ([one, oneText], [other, otherText]) =>
        rankOf(one) - rankOf(other) || oneText.length - otherText.length,
    );
  return toOneLine(telling ? `${name} ${withoutSecrets(telling[1])}` : name);
}
