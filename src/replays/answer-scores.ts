import type { JsonValue } from '../domain/json.ts';
import { toSimilarity } from './similarity.ts';

/** Returns an answer without what does not change its meaning: case, punctuation, and kinds and numbers of spaces. */
export function toNormalised(answer: string): string {
  return answer
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Scores of an answer against the recorded one, from 0 to 1; `jsonFields` only where both are JSON objects or lists. */
export function scoreAnswer(recorded: string, answer: string): Record<string, number> {
  const [expected, found] = [parseStructure(recorded), parseStructure(answer)];
  return {
    exact: recorded === answer ? 1 : 0,
    normalised: toNormalised(recorded) === toNormalised(answer) ? 1 : 0,
    ...(expected !== null && found !== null ? { jsonFields: toSimilarity(expected, found) } : {}),
  };
}

/** Reads an object or a list, also from a fenced code block. */
function parseStructure(text: string): JsonValue {
  const [, fenced] = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text) ?? [];
  try {
    const value = JSON.parse(fenced ?? text) as JsonValue;
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
