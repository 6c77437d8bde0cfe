import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { canaryMark, type CanaryDetector } from './canary-detector.ts';

/** The deepest nesting that is copied; deeper values are replaced as a whole. */
const deepest = 64;

/** Returns whether JSON holds a token, in one text or in several of them, read in their order. */
export function isCanaryInJson(detector: CanaryDetector, value: JsonValue): boolean {
  const texts: string[] = [];
  const json = JSON.stringify(value, (_key, part: JsonValue) => {
    if (typeof part === 'string' || typeof part === 'number') texts.push(String(part));
    return part;
  });
  return detector.isIn(json) || detector.isIn(texts.join(''));
}

/** Copies an object with every token in it replaced, and every list or object over whose texts a token is split. */
export function redactJsonObject(detector: CanaryDetector, value: JsonObject): JsonObject {
  const redacted = redactJson(detector, value, 0);
  return isJsonObject(redacted) ? redacted : { [canaryMark]: canaryMark };
}

function redactJson(detector: CanaryDetector, value: JsonValue, depth: number): JsonValue {
  if (!isCanaryInJson(detector, value)) return value;
  if (typeof value === 'string') return detector.redact(value);
  if (typeof value !== 'object' || depth > deepest) return canaryMark;
  const redacted = redactParts(detector, value, depth);
  return isCanaryInJson(detector, redacted) ? canaryMark : redacted;
}

function redactParts(detector: CanaryDetector, value: JsonValue, depth: number): JsonValue {
  if (Array.isArray(value)) return value.map((part) => redactJson(detector, part, depth + 1));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]): [string, JsonValue] => [
    detector.redact(key),
    redactJson(detector, part, depth + 1),
  ]);
  return Object.fromEntries(entries);
}
