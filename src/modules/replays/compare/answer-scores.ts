import canonicalize from 'canonicalize';
import type { JsonValue } from '../../../domain/json.ts';
import type { ReplayedTurn } from '../../../domain/replay.ts';
import { toSimilarity } from '../similarity.ts';

/** Returns an answer without what does not change its meaning: case, punctuation, and kinds and numbers of spaces. */
function toNormalised(answer: string): string {
  return answer
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** An answer, and the object that it is read as in a turn with a response schema. */
export type ScoredAnswer = Pick<ReplayedTurn, 'answer' | 'answerJson'>;

/** Returns whether two answers mean the same: as objects where both are, whatever the order of their fields. */
export function isSameAnswer(recorded: ScoredAnswer, other: ScoredAnswer): boolean {
  if (recorded.answerJson && other.answerJson)
    return canonicalize(recorded.answerJson) === canonicalize(other.answerJson);
  return toNormalised(recorded.answer) === toNormalised(other.answer);
}

/** Scores of an answer against the recorded one, from 0 to 1; `jsonFields` only where both are JSON objects or lists. */
export function scoreAnswer(recorded: ScoredAnswer, other: ScoredAnswer): Record<string, number> {
  const expected = recorded.answerJson ?? parseStructure(recorded.answer);
  const found = other.answerJson ?? parseStructure(other.answer);
  return {
    exact: recorded.answer === other.answer ? 1 : 0,
    normalised: isSameAnswer(recorded, other) ? 1 : 0,
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
