/** The maximum that a run of a routine may take. */
export interface RoutineLimits {
  steps: number;
  /** In milliseconds, waits included; null for no limit. */
  timeMs: number | null;
}

/** A loop that does not end would otherwise store a row for each of its steps, for ever. */
const defaultSteps = 10_000;

/** Returns the limits of a workspace, which may have set some. */
export function toRoutineLimits({
  steps,
  hours,
}: {
  steps: number | null;
  hours: number | null;
}): RoutineLimits {
  return { steps: steps ?? defaultSteps, timeMs: hours === null ? null : hours * 3_600_000 };
}
