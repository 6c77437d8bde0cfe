import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { refusalOfPattern } from './linear-regexp.ts';

/** Values, not schemas: what looks like a pattern in there is none. */
const valueKeywords = new Set(['const', 'default', 'enum', 'examples']);

/**
 * A schema without the regular expressions that cannot be matched in bounded time, so that tools can be made with it.
 * For schemas whose owner checks the arguments again.
 */
export function withoutUnusablePatterns(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).filter(([key, part]) => !isUnusable(key, part));
  return Object.fromEntries(
    entries.map(([key, part]) => [key, valueKeywords.has(key) ? part : withoutPatternsIn(part)]),
  );
}

function withoutPatternsIn(part: JsonValue): JsonValue {
  if (Array.isArray(part)) return part.map(withoutPatternsIn);
  return isJsonObject(part) ? withoutUnusablePatterns(part) : part;
}

function isUnusable(key: string, part: JsonValue): boolean {
  return key === 'pattern' && typeof part === 'string' && refusalOfPattern(part) !== null;
}
