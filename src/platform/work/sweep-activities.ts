import { Context } from '@temporalio/activity';
import type { Logger } from 'pino';
import { HoldfastError } from '../../domain/errors.ts';
import { isDatabaseOutage } from '../lib/database-outage.ts';
import type { SweepCounts, SweepSteps } from '../../contract/sweep-steps.ts';
import { toActivityFailure } from '../activity/failures.ts';
import { sendHeartbeats } from '../activity/watch-for-stop.ts';
import type { SweepFailures } from './sweep-failures.ts';
import type { Sweep } from './sweep-rows.ts';

/** The part of the time of the activity in which it begins to work on rows. */
const workingShare = 0.5;

/** The sweeps of a worker, with what their activities need. */
export interface SweeperParts {
  /** All sweeps. Each is an activity of the sweeper's workflow. */
  sweeps: readonly Sweep[];
  failures: SweepFailures;
  /** Aborted when the worker stops. */
  shutdown: AbortSignal;
  logger: Logger;
}

/** Creates the activities of the sweeper, which repairs work whose process failed. */
export function createSweepActivities(dependencies: SweeperParts): SweepSteps {
  const { sweeps } = dependencies;
  return {
    listSweeps: () => Promise.resolve({ sweeps: sweeps.map(({ name }) => name) }),

    runSweep: ({ sweep: name }) => {
      const sweep = sweeps.find((each) => each.name === name);
      if (sweep) return runSweep(dependencies, sweep);
      // Only a worker of another release lists it, and that one may get the next attempt.
      const message = `There is no sweep "${name}" in this release.`;
      throw toActivityFailure(new HoldfastError('INTERNAL', message));
    },
  };
}

async function runSweep(parts: SweeperParts, { name, sweep }: Sweep): Promise<SweepCounts> {
  const { failures, shutdown } = parts;
  const context = Context.current();
  const logger = parts.logger.child({ sweep: name });
  const until = Date.now() + context.info.startToCloseTimeoutMs * workingShare;
  const isStopped = () => context.cancellationSignal.aborted || shutdown.aborted || Date.now() >= until;
  const stopHeartbeats = sendHeartbeats(context);
  try {
    const counts = await sweep({ isStopped, logger });
    failures.succeeded(name);
    if (counts.failed > 0) logger.warn(counts, 'rows could not be swept; a later sweep tries again');
    return counts;
  } catch (error) {
    const inRow = failures.failed(name);
    logger[isDatabaseOutage(error) ? 'debug' : 'error']({ err: error, failures: inRow }, 'a sweep failed');
    throw toActivityFailure(error);
  } finally {
    stopHeartbeats();
  }
}
