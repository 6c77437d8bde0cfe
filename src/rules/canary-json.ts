import type { JsonObject, JsonValue } from '../domain/json.ts';
import { canaryMark, type CanaryDetector } from './canary-detector.ts';

/** The deepest nesting that is copied; deeper values are replaced as a whole. */
const deepest = 64;

/** Tells whether JSON holds a token in a text, a key or a number. Walks without recursion. */
export function isCanaryInJson(detector: CanaryDetector, value: JsonValue): boolean {
  const places: JsonValue[] = [value];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (typeof place === 'string' || typeof place === 'number') {
      if (detector.isIn(String(place))) return true;
    } else if (typeof place === 'object' && place !== null) {
      if (!Array.isArray(place) && Object.keys(place).some((key) => detector.isIn(key))) return true;
      for (const part of Object.values(place)) places.push(part);
    }
  }
  return false;
}

/** Copies an object with every token in it replaced. */
export function redactJsonObject(detector: CanaryDetector, value: JsonObject, depth = 0): JsonObject {
  const entries = Object.entries(value).map(([key, part]): [string, JsonValue] => [
    detector.redact(key),
    redactJson(detector, part, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

function redactJson(detector: CanaryDetector, value: JsonValue, depth: number): JsonValue {
  if (depth > deepest) return canaryMark;
  if (typeof value === 'string') return detector.redact(value);
  if (typeof value === 'number') return detector.isIn(String(value)) ? canaryMark : value;
  if (Array.isArray(value)) return value.map((part) => redactJson(detector, part, depth + 1));
  return typeof value === 'object' && value !== null ? redactJsonObject(detector, value, depth) : value;
}
