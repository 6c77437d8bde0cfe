import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  leaseMs,
  type DirectTurnRepository,
  type LostTurn,
  type StoppedTurn,
} from '../../../src/modules/turns/direct/direct-turn-repository.ts';

const defaultRenewalMs = 1_000;

/** In this time every worker that lives has renewed its lease, in milliseconds. */
const allRenewMs = leaseMs + defaultRenewalMs;

interface LeaseOptions {
  repository: DirectTurnRepository;
  logger: Pick<Logger, 'warn'>;
  /** The time between renewals, in milliseconds. @default 1000 */
  renewalMs?: number | undefined;
  /**
   * Returns the ids of the turns that this worker runs or is about to claim, of those whose rows name it, and of those that
   * it has taken for a workflow.
   */
  known: () => { running: string[]; owned: string[]; taken: string[] };
  /** Called for a running turn that was asked to stop, or that this worker has lost. */
  stop: (turn: StoppedTurn) => void;
  /** Called after each renewal. Nothing may delay the next one. */
  renewed: () => void;
  /** Called with a turn of a lost worker, which this worker owns now. */
  found: (turn: LostTurn) => void;
}

/**
 * Renews the lease of a worker until `close`. It takes the turns of workers whose lease has ended, though not at once when
 * Postgres was unreachable, or when this worker itself could not renew its lease in time, on a machine that is overloaded or was
 * stopped: then the leases of all workers may have ended.
 */
export async function followLease(options: LeaseOptions): Promise<{ close: () => Promise<void> }> {
  const { repository, logger, known, stop, renewed, found, renewalMs = defaultRenewalMs } = options;
  const closing = new AbortController();
  const takesUnknownFrom = Date.now() + allRenewMs;
  let looksFrom = 0;
  let renewedAt = performance.now();

  async function renew(): Promise<void> {
    await repository.renewLease();
    if (performance.now() - renewedAt > leaseMs) looksFrom = Date.now() + allRenewMs;
    renewedAt = performance.now();
    // A turn that is not claimed yet has no owner, and is not lost.
    for (const turn of await repository.listStopped(known().owned)) stop(turn);
    renewed();
    if (Date.now() < looksFrom) return;
    // Claims use the same session as this look, so a turn that is added from now on is claimed after it.
    const { running, taken } = known();
    const takesUnknown = Date.now() >= takesUnknownFrom;
    for (const turn of await repository.takeLost({ running, taken, takesUnknown })) found(turn);
  }

  async function renewOrWait(): Promise<void> {
    try {
      await renew();
    } catch (error) {
      logger.warn({ err: error }, 'the lease of direct turns was not renewed');
      looksFrom = Date.now() + allRenewMs;
    }
  }

  async function follow(): Promise<void> {
    for (;;) {
      await sleep(renewalMs, undefined, { signal: closing.signal });
      await renewOrWait();
    }
  }

  await renewOrWait();
  const following = follow().catch(() => undefined);
  return {
    close: async () => {
      closing.abort();
      await following;
    },
  };
}
