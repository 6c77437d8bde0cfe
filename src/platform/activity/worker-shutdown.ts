/** The shutdown of a worker, as its activities see it. */
export interface WorkerShutdown {
  /** Aborted when the worker stops: it begins no further step of a turn that another worker can continue. */
  begun: AbortSignal;
  /** Aborted when the steps that still run have had their time. */
  graceEnded: AbortSignal;
}

/** Returns the shutdown of a worker, which `begin` begins, with the time that running steps have then. */
export function createWorkerShutdown(graceMs: number): WorkerShutdown & { begin: () => void } {
  const begun = new AbortController();
  const graceEnded = new AbortController();
  begun.signal.addEventListener('abort', () => setTimeout(() => graceEnded.abort(), graceMs).unref());
  return { begun: begun.signal, graceEnded: graceEnded.signal, begin: () => begun.abort() };
}
