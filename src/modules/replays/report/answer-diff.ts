import { diffWordsWithSpace } from 'diff';
import type { DiffPart } from './replay-report.ts';

/** Texts that differ in more places are shown side by side only. */
const mostParts = 400;
const mostEdits = 2_000;

/** Compares two texts word by word. Neighbouring parts of one kind are one. */
export function diffAnswers(recorded: string, answer: string): DiffPart[] {
  const whole = (
    [
      [-1, recorded],
      [1, answer],
    ] as DiffPart[]
  ).filter(([, text]) => text !== '');
  const changes = diffWordsWithSpace(recorded, answer, { maxEditLength: mostEdits });
  if (!changes || changes.length > mostParts) return whole;
  return changes.map(({ added, removed, value }): DiffPart => [added ? 1 : removed ? -1 : 0, value]);
}
