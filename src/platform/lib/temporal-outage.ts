/**
 * Status codes of gRPC (https://grpc.io/docs/guides/status-codes/): CANCELLED, DEADLINE_EXCEEDED and UNAVAILABLE. The server
 * knows the deadline of a call and cancels its stream then, so a call that had no answer in time ends with CANCELLED where that
 * arrives before the client's own timer.
 */
const awayCodes: ReadonlySet<unknown> = new Set([1, 4, 14]);

/** Names of the errors with which the Temporal SDK reports that it has no connection. */
const awayNames: ReadonlySet<string> = new Set(['TransportError', 'ConnectionClosedError']);

/** Returns true for an error that says that Temporal cannot be reached. */
export function isTemporalOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return awayCodes.has(code) || awayNames.has(error.name) || isTemporalOutage(error.cause);
}
