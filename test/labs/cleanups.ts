import { onTestFinished } from 'vitest';

type Cleanup = () => unknown;

/**
 * Returns a list to which a test adds what closes the resources that it opened; it is worked off after the test, in reverse
 * order. A hook at the top of a lab would run for one file only, since files share their modules.
 */
export function createCleanups(): Cleanup[] {
  const cleanups: Cleanup[] = [];
  const push = cleanups.push.bind(cleanups);
  cleanups.push = (...added) => {
    if (cleanups.length === 0) {
      onTestFinished(async () => {
        for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
      });
    }
    return push(...added);
  };
  return cleanups;
}
