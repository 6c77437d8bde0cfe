import type { JsonObject, JsonValue } from '../../domain/json.ts';
import { isSecretName } from '../../domain/secret-name.ts';
import { toOneLine } from '../../domain/text.ts';
import type { Tool } from '../../domain/tool.ts';
import { findToolType, type FindToolType } from './find-tool-type.ts';

/** The names of the arguments that describe a call best, the most informative first. */
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

function rankOf(name: string): number {
  const rank = tellingNames.indexOf(name);
  return rank === -1 ? tellingNames.length : rank;
}

/** A query string is where URLs carry their secrets. */
function withoutSecrets(text: string): string {
  const url = /^https?:/i.test(text) ? URL.parse(text) : null;
  return url ? `${url.origin}${url.pathname}` : text;
}

/** The parts of a tool call that its summary is made from. */
export interface SummarizableCall {
  name: string;
  /** Null when the agent has no tool of that name. */
  tool: Tool | null;
  arguments: JsonObject | null;
}

/** One line on a tool call, of at most 120 characters: as its type says, else its name and its most informative argument. */
export function summarizeToolCall(
  { name, tool, arguments: input }: SummarizableCall,
  find: FindToolType = findToolType,
): string {
  const summarize = tool ? find(tool.type)?.summary : undefined;
  return toOneLine(tool && summarize ? summarize(tool, input ?? {}) : describeCall(name, input ?? {}));
}

function describeCall(name: string, toolArguments: JsonObject): string {
  const shown = Object.entries(toolArguments).filter(([argument]) => !isSecretName(argument));
  const text = findTellingText(shown) ?? listNumbers(shown);
  return text === '' ? name : `${name} ${text}`;
}

function findTellingText(shown: [string, JsonValue][]): string | null {
  const [best] = shown
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].trim() !== '')
    .sort(
      ([one, oneText], [other, otherText]) =>
        rankOf(one) - rankOf(other) || oneText.length - otherText.length,
    );
  return best ? withoutSecrets(best[1]) : null;
}

function listNumbers(shown: [string, JsonValue][]): string {
  return shown
    .filter(([, value]) => typeof value === 'number' || typeof value === 'boolean')
    .map(([argument, value]) => `${argument}=${JSON.stringify(value)}`)
    .join(' ');
}
