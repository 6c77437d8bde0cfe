import { mayHoldEscapes } from '../../domain/decode-escapes.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { canaryMark, type CanaryDetector } from './canary-detector.ts';

/** The deepest nesting that is copied; deeper values are replaced as a whole. */
const deepest = 64;

/** A key, a text or a number in JSON. */
interface Leaf {
  kind: 'key' | 'value';
  text: string;
}

/** Some of the leaves of a JSON value, and what is put between them when they are read as one text. */
interface Reading {
  leaves: { leaf: Leaf; index: number }[];
  between: string;
}

/**
 * Returns whether JSON holds a token: in a text, a key or a number, or in several of them, read in their order. Walks
 * without recursion.
 */
export function isCanaryInJson(detector: CanaryDetector, value: JsonValue): boolean {
  const texts = listReadings(listLeaves(value)).map(toText);
  return [...new Set(texts)].some((text) => detector.isIn(text));
}

/** Copies an object with every token in it replaced, and every leaf that holds a part of a token. */
export function redactJsonObject(detector: CanaryDetector, value: JsonObject): JsonObject {
  const redacted = mapLeaves(value, ({ text }) => detector.redact(text)) as JsonObject;
  const parts = findParts(detector, listLeaves(redacted));
  if (parts.size === 0) return redacted;
  let index = -1;
  return mapLeaves(redacted, ({ text }) => {
    index += 1;
    return parts.has(index) ? canaryMark : text;
  }) as JsonObject;
}

/** Lists the leaves in the order in which they are written. */
function listLeaves(value: JsonValue): Leaf[] {
  const leaves: Leaf[] = [];
  const stack: { value: JsonValue; isKey?: true }[] = [{ value }];
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    const { value: part } = place;
    if (typeof part === 'string' || typeof part === 'number')
      leaves.push({ kind: place.isKey ? 'key' : 'value', text: String(part) });
    else if (Array.isArray(part)) for (const one of part.toReversed()) stack.push({ value: one });
    else if (isJsonObject(part)) {
      for (const [key, one] of Object.entries(part).reverse()) {
        stack.push({ value: one }, { value: key, isKey: true });
      }
    }
  }
  return leaves;
}

/** Lists the ways in which leaves may be read as one text. */
function listReadings(leaves: Leaf[]): Reading[] {
  const all = leaves.map((leaf, index) => ({ leaf, index }));
  const values = all.filter(({ leaf }) => leaf.kind === 'value');
  const keys = all.filter(({ leaf }) => leaf.kind === 'key');
  const readings = [
    { leaves: values, between: ' ' },
    { leaves: keys, between: ' ' },
    { leaves: all, between: ' ' },
  ];
  // An escape that is split over two values is one only when nothing stands between them.
  if (values.some(({ leaf }) => mayHoldEscapes(leaf.text))) readings.push({ leaves: values, between: '' });
  return readings;
}

function toText({ leaves, between }: Reading): string {
  return leaves.map(({ leaf }) => leaf.text).join(between);
}

/** Finds the leaves that hold a part of a token, by their index. */
function findParts(detector: CanaryDetector, leaves: Leaf[]): Set<number> {
  const parts = new Set<number>();
  for (const reading of listReadings(leaves)) {
    const ranges = detector.find(toText(reading));
    let start = 0;
    let next = 0;
    for (const { leaf, index } of reading.leaves) {
      const end = start + leaf.text.length;
      while (next < ranges.length && (ranges[next]?.end ?? 0) <= start) next += 1;
      if ((ranges[next]?.start ?? Infinity) < end) parts.add(index);
      start = end + reading.between.length;
    }
  }
  return parts;
}

/** Copies a value with every leaf changed, in the order of {@link listLeaves}; a number stays one if unchanged. */
function mapLeaves(value: JsonValue, change: (leaf: Leaf) => string, depth = 0): JsonValue {
  if (depth > deepest) return canaryMark;
  if (typeof value === 'string') return change({ kind: 'value', text: value });
  if (typeof value === 'number') {
    const text = change({ kind: 'value', text: String(value) });
    return text === String(value) ? value : canaryMark;
  }
  if (Array.isArray(value)) return value.map((part) => mapLeaves(part, change, depth + 1));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]): [string, JsonValue] => [
    change({ kind: 'key', text: key }),
    mapLeaves(part, change, depth + 1),
  ]);
  return Object.fromEntries(entries);
}
