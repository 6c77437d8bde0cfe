import { isDatabaseOutage } from '../lib/database-outage.ts';
import type { DependencyState } from '../lib/dependency-state.ts';
import { retryWhileUnavailable } from '../lib/retry-while-unavailable.ts';
import type { Transactions } from './transactions.ts';

/** Shorter than for programs that start: a turn waits. The longest pause is 1 s. */
const firstPauseMs = 125;

interface TransactionRetryOptions {
  /** The time until which the present caller retries, in epoch milliseconds; a time in the past for no retry. */
  until: () => number;
  state: DependencyState;
}

/**
 * Returns units of work that are run again while the database is unreachable, until the caller's time is over. The commit of a
 * lost session may have arrived, so each unit has to find what it stored before and to store it once.
 */
export function retryTransactions(
  { pipelined, transact }: Pick<Transactions, 'pipelined' | 'transact'>,
  { until, state }: TransactionRetryOptions,
): Pick<Transactions, 'pipelined' | 'transact'> {
  const options = { state, until, isOutage: isDatabaseOutage, firstPauseMs };
  return {
    pipelined: (scope, run) => retryWhileUnavailable(() => pipelined(scope, run), options),
    transact: (scope, run) => retryWhileUnavailable(() => transact(scope, run), options),
  };
}
