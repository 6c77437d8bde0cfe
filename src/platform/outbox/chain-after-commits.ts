import type { Database } from '../database/connect-database.ts';
import { chainPendingEvents } from './audit-chain.ts';

/** The time between two searches for events of processes that died after the commit, in milliseconds. */
const sweepMs = 30_000;

interface ChainOptions {
  /** How long commits are collected before their audit events are moved into the chain, in milliseconds. @default 1000 */
  collectMs?: number;
}

/**
 * Returns the database with a chainer of the audit log: shortly after a transaction was committed, and every 30 s, all
 * events that wait are moved into the chains of their workspaces. `onError` is notified of the first failure of a row.
 */
export function chainAfterCommits(
  database: Database,
  onError: (error: unknown) => void,
  { collectMs = 1_000 }: ChainOptions = {},
): Database {
  const chainer = createChainer(database, { onError, collectMs });
  const timer = setInterval(chainer.schedule, sweepMs).unref();
  chainer.schedule();
  return {
    ...database,
    inWorkspace: (scope, run) => database.inWorkspace(scope, run).finally(chainer.schedule),
    pipelined: (scope, run) => database.pipelined(scope, run).finally(chainer.schedule),
    transact: (scope, run) => database.transact(scope, run).finally(chainer.schedule),
    close: async () => {
      clearInterval(timer);
      await chainer.stop();
      await database.close();
    },
  };
}

interface ChainerOptions extends Required<ChainOptions> {
  onError: (error: unknown) => void;
}

function createChainer({ system }: Pick<Database, 'system'>, { onError, collectMs }: ChainerOptions) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let hasFailed = false;
  let isStopped = false;

  async function chainAll(): Promise<void> {
    try {
      const waiting = await system('audit_pending').distinct('workspace_id').pluck<string[]>('workspace_id');
      for (const workspaceId of waiting) await chainPendingEvents(system, workspaceId);
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) onError(error);
      hasFailed = true;
    }
  }

  /** Transactions that end while events are moved are seen by the next run, since this one may not see them. */
  function schedule(): void {
    if (isStopped || timer) return;
    timer = setTimeout(() => {
      running = (running ?? Promise.resolve()).then(() => {
        timer = undefined;
        return chainAll();
      });
    }, collectMs).unref();
  }

  return {
    schedule,
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
