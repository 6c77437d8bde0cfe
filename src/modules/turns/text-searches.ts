import { HoldfastError } from '../../domain/errors.ts';
import { createFairLimit } from '../../platform/lib/fair-limit.ts';

/**
 * Runs a search that reads the texts of messages, when its workspace has no other one that runs.
 * @throws HoldfastError `RATE_LIMITED` for a search that has waited too long
 */
export type SearchTexts = <Result>(workspaceId: string, search: () => Promise<Result>) => Promise<Result>;

/** The maximum number of searches of texts that run at the same time in one process: few of the sessions of its pool. */
export const textSearchesAtOnce = 3;

/** A workspace whose search took longer leaves one of them to others, for a minute. */
const slowMs = 500;
const slowForMs = 60_000;

/** Creates the limit of searches. `waitMs` is the longest time that one waits, in milliseconds. */
export function createTextSearches({ waitMs = 5_000 }: { waitMs?: number } = {}): SearchTexts {
  const limit = createFairLimit({ slots: textSearchesAtOnce, slowMs, slowForMs, waitMs });
  return async (workspaceId, search) => {
    const found = await limit(workspaceId, async () => ({ result: await search() }));
    if (found) return found.result;
    const message = `Other searches for texts took longer than ${waitMs} ms. One of a workspace runs at a time.`;
    throw new HoldfastError('RATE_LIMITED', message, { retryAfterMs: waitMs });
  };
}
