/** Options of one call, the last argument of every function of a resource. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** How long each attempt may take. @default the client's `requestTimeoutMs` */
  timeoutMs?: number | undefined;
}
