import type { JsonObject, JsonValue, Usage } from '../client/index.ts';
import { isJsonObject } from '../../domain/json.ts';
import { toOneLine } from '../../domain/text.ts';

/** A time span for people: `120 ms`, `4.20 s`. */
export function toDuration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
}

/** The arguments of a tool call on one line: a single plain value as it is, several as `name=value`. */
export function toArgumentsLine(values: JsonObject | null, maxCharacters = 80): string {
  if (values === null) return '(arguments that are not JSON)';
  const entries = Object.entries(values);
  const [first] = entries;
  if (entries.length === 1 && first) return toOneLine(toValue(first[1]), maxCharacters);
  return toOneLine(entries.map(([name, value]) => `${name}=${toValue(value)}`).join(' '), maxCharacters);
}

/** Returns the lines about the error of a turn, for an engineer: its message, and the address that was called. */
export function toErrorLines({ message, details }: { message: string; details?: unknown }): string[] {
  const internal = isJsonObject(details) ? details['internal'] : undefined;
  return [message, ...(typeof internal === 'string' ? [`  ${toOneLine(internal, 500)}`] : [])];
}

/** Returns the line about work whose workflow is stuck, and none for other work. */
export function toStuckLines(stuck: { since: string; cause: string } | undefined): string[] {
  return stuck ? [`stuck since ${stuck.since}: ${toOneLine(stuck.cause, 500)}`] : [];
}

/** Token counts on one line, which says when the vendor has not reported them. */
export function toUsageLine(usage: Usage): string {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = usage;
  const read = inputTokens + cacheReadTokens + cacheWriteTokens;
  const cached = cacheReadTokens > 0 ? ` (${cacheReadTokens} from the cache)` : '';
  const counts = `${read} tokens in${cached}, ${outputTokens} out`;
  return usage.isEstimated ? `usage unknown, counted as about ${counts}` : counts;
}

/** Indents each line of a text, after formatting it when it is JSON. */
export function toIndented(text: string, indent = '    '): string {
  return layOut(text)
    .split('\n')
    .map((line) => `${indent}${line}`)
    .join('\n');
}

/** A number with its noun: `1 tool call`, `2 tool calls`. */
export function toCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function toValue(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function layOut(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) || Array.isArray(value) ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}
