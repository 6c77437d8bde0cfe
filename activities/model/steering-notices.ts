import type { Wakeups } from '../../src/platform/database/wakeups.ts';

/** The notifications of messages that end the model call of a turn. */
export interface SteeringNotices {
  /** Whether one has come since the last `clear`. */
  hasAny: () => boolean;
  /** Forgets those that have come: the caller reads the messages after it. */
  clear: () => void;
  /** Calls `notify` for each that comes, until the returned function is called. */
  onNotice: (notify: () => void) => () => void;
}

/** Listens for messages that end the model call of a turn, until `close`. */
export function listenForSteering(
  wakeups: Pick<Wakeups, 'onSteerNow'>,
  turnId: string,
): SteeringNotices & { close: () => void } {
  const listeners = new Set<() => void>();
  let hasAny = false;
  const close = wakeups.onSteerNow((steered) => {
    if (steered !== turnId) return;
    hasAny = true;
    for (const notify of listeners) notify();
  });
  return {
    hasAny: () => hasAny,
    clear: () => {
      hasAny = false;
    },
    onNotice: (notify) => {
      listeners.add(notify);
      return () => listeners.delete(notify);
    },
    close,
  };
}
