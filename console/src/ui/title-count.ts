import { useSyncExternalStore } from 'react';

let count = 0;
const listeners = new Set<() => void>();

/** Sets how many things wait for the person, which stands before the title of every page in the tab of the browser. */
export function setTitleCount(next: number): void {
  count = next;
  for (const listener of listeners) listener();
}

/** How many things wait for the person. */
export const useTitleCount = (): number =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => count,
  );
