import type {
  Difference,
  ReplayedCall,
  ReplayedStep,
  ReplayedTurn,
  ReplayRun,
} from '../../../domain/replay.ts';
import { toOneLine } from '../../../domain/text.ts';
import { isSameAnswer } from './answer-scores.ts';
import { isBroken } from './broken-calls.ts';
import { toCallText } from './trajectory.ts';

const shownCharacters = 300;

/** Finds the first step at which a run differs from the recorded one; the order of parallel calls does not count. */
export function findFirstDifference(original: ReplayRun, run: ReplayRun): Difference | null {
  for (const [index, turn] of original.turns.entries()) {
    const replayed = run.turns[index];
    const found = replayed ? findInTurn(turn, replayed) : missingTurn(turn);
    if (found) return { turn: index + 1, ...found };
  }
  return null;
}

type Found = Omit<Difference, 'turn'>;

function missingTurn({ outcome }: ReplayedTurn): Found {
  return { iteration: 0, kind: 'outcome', expected: outcome, found: 'the conversation ended before' };
}

function findInTurn(original: ReplayedTurn, run: ReplayedTurn): Found | null {
  const steps = Math.max(original.steps.length, run.steps.length);
  for (let index = 0; index < steps; index += 1) {
    const found = findInStep(original.steps[index], run.steps[index]);
    if (found) return { iteration: index + 1, ...found };
  }
  const iteration = run.steps.length;
  if (original.outcome !== run.outcome) {
    const said = run.error ? `${run.outcome}: ${run.error.message}` : run.outcome;
    return {
      iteration,
      kind: 'outcome',
      expected: original.outcome,
      found: toOneLine(said, shownCharacters),
    };
  }
  if (isSameAnswer(original, run)) return null;
  const [expected, found] = [original.answer, run.answer].map((text) => toOneLine(text, shownCharacters));
  return { iteration, kind: 'answer', expected: expected ?? '', found: found ?? '' };
}

function findInStep(
  original: ReplayedStep | undefined,
  run: ReplayedStep | undefined,
): Omit<Found, 'iteration'> | null {
  const expected = original?.calls ?? [];
  const found = run?.calls ?? [];
  const [missing, added] = [listOnlyIn(expected, found), listOnlyIn(found, expected)];
  const [first, other] = [missing[0], added[0]];
  if (!first && !other) return findLost(expected, found);
  const texts = { expected: toShown(first, original), found: toShown(other, run) };
  if (first && other) return { kind: first.name === other.name ? 'arguments' : 'tool_changed', ...texts };
  if (first) return { kind: found.length === 0 ? 'answered_early' : 'tool_removed', ...texts };
  return { kind: expected.length === 0 ? 'answered_late' : 'tool_added', ...texts };
}

/** Calls that both made, of which one is blocked by a rule, refused or without an answer. */
function findLost(expected: ReplayedCall[], found: ReplayedCall[]): Omit<Found, 'iteration'> | null {
  const left = Map.groupBy(expected, toCallText);
  const lost = found.find((call) => {
    const recorded = left.get(toCallText(call))?.shift();
    return recorded !== undefined && isBroken(recorded, call);
  });
  if (!lost) return null;
  return {
    kind: lost.status === 'blocked' ? 'rule' : 'refused',
    ...{ expected: toShown(lost), found: toOneLine(lost.result, shownCharacters) },
  };
}

function listOnlyIn(calls: ReplayedCall[], others: ReplayedCall[]): ReplayedCall[] {
  const left = Map.groupBy(others.map(toCallText), (text) => text);
  return calls.filter((call) => left.get(toCallText(call))?.pop() === undefined);
}

function toShown(call: ReplayedCall | undefined, step?: ReplayedStep): string {
  return toOneLine(call ? toCallText(call) : `answer: ${step?.text ?? 'none'}`, shownCharacters);
}
