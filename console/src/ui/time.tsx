import { useSyncExternalStore } from 'react';
import { formatDateTime, formatRelative } from './format.ts';

/** How often the clock of the page ticks, in milliseconds. */
const tickMs = 1_000;

let time = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  time = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    timer = setInterval(tick, tickMs);
    queueMicrotask(tick);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time in milliseconds, by one clock for all components; it changes every `stepMs`. */
export const useNow = (stepMs: number): number =>
  useSyncExternalStore(subscribe, () => time - (time % stepMs));

/** How often relative times change, in milliseconds. */
const stepMs = 10_000;

/** A time as people say it; the exact one shows on hover. */
export function Time({ at }: { at: string }) {
  const now = useNow(stepMs);
  // What has just happened is later than the last step of the clock.
  const moment = Math.max(now, Math.min(Date.parse(at), now + stepMs));
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatRelative(at, moment)}
    </time>
  );
}
