import { isJsonObject, type JsonValue } from './json.ts';
import { mark, redactJson, type Redact } from './redact.ts';

/**
 * Redacts texts that are read one after the other: a secret may be split over them. When it is, everything between the
 * first and the last part of such secrets is replaced, so that the time stays linear.
 */
export function redactTogether(texts: readonly string[], redact: Redact): string[] {
  const single = texts.map((text) => redact(text));
  const whole = single.join('');
  const redacted = texts.length > 1 ? redact(whole) : whole;
  if (redacted === whole) return single;
  const start = countSame(whole, redacted, (text, index) => text.charCodeAt(index));
  const behind = countSame(whole, redacted, (text, index) => text.charCodeAt(text.length - 1 - index));
  return cutOut(single, { start, end: Math.max(start, whole.length - behind) });
}

/** Counts how many characters are the same from one end on. */
function countSame(one: string, other: string, read: (text: string, index: number) => number): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && read(one, count) === read(other, count)) count += 1;
  return count;
}

function cutOut(texts: string[], { start, end }: { start: number; end: number }): string[] {
  let place = 0;
  return texts.map((text) => {
    const from = Math.min(text.length, Math.max(0, start - place));
    const to = Math.min(text.length, Math.max(0, end - place));
    place += text.length;
    return from < to ? `${text.slice(0, from)}${mark}${text.slice(to)}` : text;
  });
}

/** Redacts all texts of a JSON value, also a secret that is split over the elements of a list or fields of one name. */
export function redactJsonTogether(value: JsonValue, redact: Redact): JsonValue {
  const single = redactJson(value, redact);
  const groups = new Map<string, string[]>();
  mapTexts(single, (text, name) => {
    const texts = groups.get(name);
    if (texts) texts.push(text);
    else groups.set(name, [text]);
    return text;
  });
  const together = [...groups].map(([name, texts]) => [name, redactTogether(texts, redact)] as const);
  if (together.every(([name, texts]) => texts.every((text, index) => text === groups.get(name)?.[index])))
    return single;
  const rest = new Map(together.map(([name, texts]) => [name, texts.values()]));
  return mapTexts(single, (text, name) => rest.get(name)?.next().value ?? text);
}

/** Copies a value with every text changed; `name` is that of the field that holds it. */
function mapTexts(value: JsonValue, change: (text: string, name: string) => string, name = ''): JsonValue {
  if (typeof value === 'string') return change(value, name);
  if (Array.isArray(value)) return value.map((part) => mapTexts(part, change, name));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapTexts(part, change, key)]));
}
