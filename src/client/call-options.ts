/** What every call of a resource takes last. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** How long each attempt may take. @default the client's `requestTimeoutMs` */
  timeoutMs?: number | undefined;
}
