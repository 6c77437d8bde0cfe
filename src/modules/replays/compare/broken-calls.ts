import type { BrokenCall, ReplayedCall, ReplayRun } from '../../../domain/replay.ts';
import { toOneLine } from '../../../domain/text.ts';
import { toCallText } from './trajectory.ts';

const shownCharacters = 300;

/** The answers of calls whose tool did not get them: there is no such tool, its schema refuses them, or a rule blocks them. */
const unanswered = new Set<ReplayedCall['answeredBy']>(['refused', 'blocked', 'missed', 'stub']);

/** The statuses of recorded calls that their tools have answered. */
const answered = new Set<ReplayedCall['status']>(['succeeded', 'failed', 'unknown']);

interface PlacedCall {
  turn: number;
  iteration: number;
  call: ReplayedCall;
}

/**
 * Lists the calls of a run that were answered when they were recorded and are not any more: calls with the same arguments, and
 * of those with others the ones for whose tool more calls were answered before than now.
 */
export function listBrokenCalls(original: ReplayRun, run: ReplayRun): BrokenCall[] {
  const left = original.turns.flatMap(({ steps }) => steps.flatMap(({ calls }) => calls));
  const take = (accepts: (recorded: ReplayedCall) => boolean): ReplayedCall | undefined => {
    const index = left.findIndex(accepts);
    return index === -1 ? undefined : left.splice(index, 1)[0];
  };
  const texts = new Map(left.map((call) => [call, toCallText(call)]));
  const broken: PlacedCall[] = [];
  const others: PlacedCall[] = [];
  for (const placed of listPlacedCalls(run)) {
    const text = toCallText(placed.call);
    const recorded = take((one) => texts.get(one) === text);
    if (!recorded) others.push(placed);
    else if (isBroken(recorded, placed.call)) broken.push(placed);
  }
  // Calls that were answered are paired first, so that a call which the model has corrected is not broken.
  for (const placed of others.toSorted(
    (one, other) => Number(isLost(one.call)) - Number(isLost(other.call)),
  )) {
    const recorded = take(({ name }) => name === placed.call.name);
    if (recorded && isBroken(recorded, placed.call)) broken.push(placed);
  }
  return broken.map(toBrokenCall);
}

/** Returns true for a call that was answered when it was recorded and is not any more. */
export function isBroken(recorded: ReplayedCall, call: ReplayedCall): boolean {
  return answered.has(recorded.status) && isLost(call);
}

function isLost({ answeredBy }: ReplayedCall): boolean {
  return unanswered.has(answeredBy);
}

function listPlacedCalls({ turns }: ReplayRun): PlacedCall[] {
  return turns.flatMap(({ steps }, turn) =>
    steps.flatMap(({ calls }, step) => calls.map((call) => ({ turn: turn + 1, iteration: step + 1, call }))),
  );
}

function toBrokenCall({ turn, iteration, call }: PlacedCall): BrokenCall {
  const { name, answeredBy, result } = call;
  return {
    turn,
    iteration,
    name,
    answeredBy: answeredBy ?? 'missed',
    reason: toOneLine(result, shownCharacters),
  };
}
