/** Options of one call, the last argument of every function of a resource. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** How long each attempt may take. @default the client's `requestTimeoutMs` */
  timeoutMs?: number | undefined;
  /**
   * For operations that take an `Idempotency-Key`: a second call with the key of the first finds what the first has made.
   * @default a new key for each call, which all its attempts share
   */
  idempotencyKey?: string | undefined;
}
