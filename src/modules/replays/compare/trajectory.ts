import type { ReplayedCall, ReplayRun, Trajectory } from '../../../domain/replay.ts';
import { toCanonical } from '../recorded/recorded-calls.ts';

/** The tool calls of a run, in the order in which it made them. */
export function listCalls({ turns }: ReplayRun): ReplayedCall[] {
  return turns.flatMap(({ steps }) => steps.flatMap(({ calls }) => calls));
}

/** Returns a call as text: equal calls have equal texts. */
export function toCallText({ name, arguments: input }: Pick<ReplayedCall, 'name' | 'arguments'>): string {
  return `${name} ${toCanonical(input)}`;
}

/** Returns how the tool calls of a run relate to the recorded ones. */
export function toTrajectory(original: ReplayRun, run: ReplayRun): Trajectory {
  const recorded = listCalls(original);
  const replayed = listCalls(run);
  const expected = recorded.map(toCallText);
  const found = replayed.map(toCallText);
  if (isEqual(expected, found)) return 'exact';
  if (isEqual(expected.toSorted(), found.toSorted())) return 'unordered';
  const toNames = (calls: ReplayedCall[]) => calls.map(({ name }) => name);
  if (isEqual(toNames(recorded), toNames(replayed))) return 'arguments_differ';
  if (isWithin(found, expected)) return 'subset';
  return isWithin(expected, found) ? 'superset' : 'different';
}

function isEqual(one: string[], other: string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}

/** Returns whether a list has each element of another one at least as often. */
function isWithin(part: string[], whole: string[]): boolean {
  const left = Map.groupBy(whole, (text) => text);
  return part.every((text) => left.get(text)?.pop() !== undefined);
}

/** The answers that a live turn would have had too; null for a call that ran. */
const rightAnswers = new Set<ReplayedCall['answeredBy']>([null, 'exact', 'stored']);

/**
 * Returns how much of the recorded trajectory a run has followed, from 0 to 1: twice the calls that agree, by all calls of
 * both. Calls after the first one that got another recorded answer are not credited, since the run may have gone another way
 * because of that answer. A call that ran has the answer of its tool, one that read a stored result has that result, and
 * one that is blocked by a rule has the recorded answer when it was blocked then too.
 */
export function toTrajectoryScore(original: ReplayRun, run: ReplayRun): number {
  const expected = listCalls(original);
  const found = listCalls(run);
  if (expected.length + found.length === 0) return 1;
  const blocked = new Set(expected.filter(isBlocked).map(toCallText));
  const isRight = (call: ReplayedCall) =>
    rightAnswers.has(call.answeredBy) || (isBlocked(call) && blocked.has(toCallText(call)));
  const firstOther = found.findIndex((call) => !isRight(call));
  const credited = firstOther === -1 ? found : found.slice(0, firstOther);
  const left = Map.groupBy(expected.map(toCallText), (text) => text);
  const agreeing = credited.filter((call) => left.get(toCallText(call))?.pop() !== undefined);
  return (2 * agreeing.length) / (expected.length + found.length);
}

function isBlocked({ status }: ReplayedCall): boolean {
  return status === 'blocked';
}
