/** Wakes one waiting reader. Notifications while no reader waits count as one, which ends the next wait at once. */
export interface WakeSignal {
  notify: () => void;
  /** Ends after a notification, after `ms` or when the signal aborts. Returns true for a notification. */
  wait: (ms: number) => Promise<boolean>;
}

/** Creates a wake signal. When `signal` aborts, the current wait ends, and every later wait ends at once. */
export function createWakeSignal(signal: AbortSignal): WakeSignal {
  let isNotified = false;
  let wake: (() => void) | undefined;
  signal.addEventListener('abort', () => wake?.(), { once: true });
  return {
    notify: () => {
      isNotified = true;
      wake?.();
    },
    wait: async (ms) => {
      if (!isNotified && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wake = undefined;
      }
      const wasNotified = isNotified;
      isNotified = false;
      return wasNotified;
    },
  };
}
