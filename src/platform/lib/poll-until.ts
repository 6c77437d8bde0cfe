import { setTimeout as sleep } from 'node:timers/promises';

interface Polling {
  /** How long to read again, in milliseconds. */
  waitMs: number;
  /** The time between two reads, in milliseconds. */
  everyMs: number;
  /** Ends the polling; the value that was read last is returned. */
  signal: AbortSignal;
}

/** Reads a value again and again until it is accepted, the time is over or the signal is aborted, and returns the last one. */
export async function pollUntil<Value>(
  read: () => Promise<Value>,
  accept: (value: Value) => boolean | Promise<boolean>,
  { waitMs, everyMs, signal }: Polling,
): Promise<Value> {
  const until = Date.now() + waitMs;
  for (;;) {
    const value = await read();
    const leftMs = until - Date.now();
    if ((await accept(value)) || leftMs <= 0 || signal.aborted) return value;
    await sleep(Math.min(everyMs, leftMs), undefined, { signal }).catch(() => undefined);
  }
}
