/** Wakes one waiting reader. Rings while nobody waits are kept as one: they end the next wait at once. */
export interface Bell {
  ring: () => void;
  /** Ends when the bell rings, when the time is over or when the signal aborts; returns whether it rang. */
  wait: (ms: number) => Promise<boolean>;
}

/** Makes a bell. When the signal aborts, the wait under way ends, and every later wait ends at once. */
export function createBell(signal: AbortSignal): Bell {
  let rung = false;
  let wake: (() => void) | undefined;
  signal.addEventListener('abort', () => wake?.(), { once: true });
  return {
    ring: () => {
      rung = true;
      wake?.();
    },
    wait: async (ms) => {
      if (!rung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wake = undefined;
      }
      const wasRung = rung;
      rung = false;
      return wasRung;
    },
  };
}
