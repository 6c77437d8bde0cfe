import { useSyncExternalStore } from 'react';
import { formatDateTime, formatRelative } from './format.ts';

/** How often relative times change, in milliseconds. */
const stepMs = 10_000;

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, stepMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time of the browser in milliseconds, which all components read from one clock. */
export const useNow = () => useSyncExternalStore(subscribe, () => now);

/** A time as people say it; the exact one shows on hover. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatRelative(at, Math.max(useNow(), Date.now() - stepMs))}
    </time>
  );
}
