/** Work that gives way after each slice of some milliseconds, so that its caller can let other work run. */
export type Slices<Result> = Generator<undefined, Result, undefined>;

/** Runs all slices at once, and returns the result. */
export function runSlices<Result>(slices: Slices<Result>): Result {
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
  }
}
