import type { Wakeups } from '../../src/db/wakeups.ts';

/** Tells a model call that a message has come which does not wait for it. */
export interface SteerBell {
  /** Whether a message has come since the last `silence`. */
  hasRung: () => boolean;
  /** Forgets the messages that have come, since their reader looks for them after it. */
  silence: () => void;
  /** Calls `ring` for each message that comes, until the returned function is called. */
  onRing: (ring: () => void) => () => void;
}

/** Listens for messages that steer a turn at once, until `close`. */
export function listenForSteering(
  wakeups: Pick<Wakeups, 'onSteerNow'>,
  turnId: string,
): SteerBell & { close: () => void } {
  const rings = new Set<() => void>();
  let hasRung = false;
  const close = wakeups.onSteerNow((steered) => {
    if (steered !== turnId) return;
    hasRung = true;
    for (const ring of rings) ring();
  });
  return {
    hasRung: () => hasRung,
    silence: () => {
      hasRung = false;
    },
    onRing: (ring) => {
      rings.add(ring);
      return () => rings.delete(ring);
    },
    close,
  };
}
