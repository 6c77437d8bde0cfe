/** The most of a turn's time that is kept for the model to answer after its last tool call, in milliseconds. */
const answerReserveMs = 10_000;

/** The most of a child turn's time that is kept for it to end in order; as for every turn, see `toSoftDeadlineMs`. */
const settleReserveMs = 15_000;

function toReserveMs(leftMs: number): number {
  return Math.min(answerReserveMs, leftMs / 4);
}

/**
 * How long the child of a tool call is given, in milliseconds: the tool's own time, if it has one, but never so much
 * that no time is left for the model to say what came of it.
 */
export function toChildTimeMs(leftMs: number, ownMs: number | null = null): number {
  return Math.max(0, Math.floor(Math.min(leftMs - toReserveMs(leftMs), ownMs ?? Infinity)));
}

/** How long a turn waits for a child that ends at its own deadline by itself, in milliseconds. */
export function toChildGraceMs(leftMs: number): number {
  return Math.max(0, Math.floor(leftMs - toReserveMs(leftMs) / 2));
}

/** The timeout of a turn whose steps may use so much time: what `toSoftDeadlineMs` takes away, added again. */
export function toTurnTimeoutMs(softMs: number): number {
  return Math.floor(softMs + Math.min(settleReserveMs, softMs / 3));
}
