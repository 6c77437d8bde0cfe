/** Status codes of gRPC (https://grpc.io/docs/guides/status-codes/): DEADLINE_EXCEEDED and UNAVAILABLE. */
const awayCodes: ReadonlySet<unknown> = new Set([4, 14]);

/** Names of the errors with which the Temporal SDK reports that it has no connection. */
const awayNames: ReadonlySet<string> = new Set(['TransportError', 'ConnectionClosedError']);

/** Returns true for an error that says that Temporal cannot be reached. */
export function isTemporalOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return awayCodes.has(code) || awayNames.has(error.name) || isTemporalOutage(error.cause);
}
