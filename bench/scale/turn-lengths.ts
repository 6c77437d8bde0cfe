import type { LoadPlan } from './measure-load.ts';

/** So few turns at once leave two cores idle: the figures are those of the turns and not of a full machine. */
const atOnceOf = { short: 10, long: 20 };
const longFromSeconds = 10;
const longestRampMs = 5_000;
const quickMs = 8_000;
const leastMs = 30_000;
/** The model calls of longer turns could take more time than a turn has. */
const longestSeconds = 60;

interface LengthOptions {
  quick: boolean;
  /** How many turns run at once, several in turn; empty for 10, and 20 long ones. */
  atOnce: readonly number[];
  seconds: readonly number[];
}

/**
 * Returns loads of turns of these lengths. With `quick` the conversations of long turns have one turn each, otherwise two or more.
 * @throws Error that names a length that no turn can have
 */
export function toLengthLoads({ quick, atOnce, seconds }: LengthOptions): LoadPlan[] {
  const wrong = seconds.find((one) => !(one > 0 && one <= longestSeconds));
  if (wrong !== undefined) {
    throw new Error(`--seconds is "${wrong}", expected numbers above 0 and up to ${longestSeconds}.`);
  }
  return seconds.flatMap((one) =>
    (atOnce.length === 0 ? [atOnceOf[one < longFromSeconds ? 'short' : 'long']] : atOnce).map((inFlight) => ({
      ...{ inFlight, pieces: 50, seconds: one },
      rampMs: Math.min(one * 1000, longestRampMs),
      durationMs: quick ? quickMs : Math.max(leastMs, 1.5 * one * 1000),
    })),
  );
}
