import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseOutage } from '../lib/database-outage.ts';
import type { DependencyState } from '../lib/dependency-state.ts';
import type { Transactions } from './transactions.ts';

const firstPauseMs = 100;
const longestPauseMs = 1_000;

interface OutlastOptions {
  /** The time at which the present caller gives up, in epoch milliseconds; a time in the past for no second try. */
  until: () => number;
  state: DependencyState;
}

/**
 * Returns units of work that are run again while the database is away, until the caller's time is over. The commit of a
 * lost session may have arrived, so each unit has to find what it stored before and to store it once.
 */
export function outlastOutages(
  { pipelined, transact }: Pick<Transactions, 'pipelined' | 'transact'>,
  { until, state }: OutlastOptions,
): Pick<Transactions, 'pipelined' | 'transact'> {
  async function outlast<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        const result = await work();
        state.recovered();
        return result;
      } catch (error) {
        if (!isDatabaseOutage(error)) throw error;
        state.failed(error);
        if (Date.now() + pauseMs >= until()) throw error;
        await sleep(pauseMs);
      }
    }
  }

  return {
    pipelined: (workspaceId, run) => outlast(() => pipelined(workspaceId, run)),
    transact: (workspaceId, run) => outlast(() => transact(workspaceId, run)),
  };
}
