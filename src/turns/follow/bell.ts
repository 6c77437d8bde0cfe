/** Wakes one waiting reader. However often it rings while nobody waits, the next wait ends at once, and only that. */
export interface Bell {
  ring: () => void;
  /** Ends when the bell rings, when the time is over or when the signal aborts. */
  wait: (ms: number) => Promise<void>;
}

/** Makes a bell that never rings again once the signal has aborted, and then lets nobody wait. */
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
      rung = false;
    },
  };
}
