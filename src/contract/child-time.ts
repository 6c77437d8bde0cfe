/** The longest reserve of a turn's time for the model to answer after its last tool call, in milliseconds. */
const answerReserveMs = 10_000;

/** The longest reserve of a child turn's time for settling it, in milliseconds; see `toSoftDeadlineMs`. */
const settleReserveMs = 15_000;

function toReserveMs(leftMs: number): number {
  return Math.min(answerReserveMs, leftMs / 4);
}

/**
 * Returns the time limit of a tool call's child, in milliseconds: that of the tool, if it has one, but always so that
 * the model has time left to answer.
 */
export function toChildTimeMs(leftMs: number, ownMs: number | null = null): number {
  return Math.max(0, Math.floor(Math.min(leftMs - toReserveMs(leftMs), ownMs ?? Infinity)));
}

/** Returns how long a turn waits for a child that ends itself at its own deadline, in milliseconds. */
export function toChildGraceMs(leftMs: number): number {
  return Math.max(0, Math.floor(leftMs - toReserveMs(leftMs) / 2));
}

/** Returns the timeout of a turn whose steps may use the given time; the inverse of `toSoftDeadlineMs`. */
export function toTurnTimeoutMs(softMs: number): number {
  return Math.floor(softMs + Math.min(settleReserveMs, softMs / 3));
}
