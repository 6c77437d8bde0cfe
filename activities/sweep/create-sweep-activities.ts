import { Context } from '@temporalio/activity';
import { HoldfastError } from '../../src/domain/errors.ts';
import { isDatabaseOutage } from '../../src/lib/database-outage.ts';
import type { SweepCounts, SweepSteps } from '../../workflows/contract/sweep-steps.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { toActivityFailure } from '../failures.ts';
import { sendHeartbeats } from '../watch-for-stop.ts';
import { sweeps, type Sweep } from './sweeps.ts';

/** The part of the time of the activity in which it begins to work on rows. */
const workingShare = 0.5;

/** Creates the activities of the sweeper, which repairs work whose process failed. */
export function createSweepActivities(dependencies: ActivityDependencies): SweepSteps {
  const run = (sweep: Sweep) => runSweep(dependencies, sweep);
  return {
    listSweeps: () => Promise.resolve({ sweeps: sweeps.map(({ name }) => name) }),

    runSweep: ({ sweep: name }) => {
      const sweep = sweeps.find((each) => each.name === name);
      if (sweep) return run(sweep);
      // Only a worker of another release lists it, and that one may get the next attempt.
      const message = `There is no sweep "${name}" in this release.`;
      throw toActivityFailure(new HoldfastError('INTERNAL', message));
    },

    sweepTurns: async () => {
      const ends = await Promise.allSettled(sweeps.map(run));
      return Object.fromEntries(
        ends.map((end, index) => [
          sweeps[index]?.name ?? '',
          end.status === 'fulfilled' ? end.value : 'failed',
        ]),
      );
    },
  };
}

async function runSweep(dependencies: ActivityDependencies, { name, sweep }: Sweep): Promise<SweepCounts> {
  const { sweepFailures, isShuttingDown } = dependencies;
  const context = Context.current();
  const logger = dependencies.logger.child({ sweep: name });
  const until = Date.now() + context.info.startToCloseTimeoutMs * workingShare;
  const isStopped = () => context.cancellationSignal.aborted || isShuttingDown() || Date.now() >= until;
  const stopHeartbeats = sendHeartbeats(context);
  try {
    const counts = await sweep(dependencies, { isStopped, logger });
    sweepFailures.succeeded(name);
    if (counts.failed > 0) logger.warn(counts, 'rows could not be swept; a later sweep tries again');
    return counts;
  } catch (error) {
    const failures = sweepFailures.failed(name);
    logger[isDatabaseOutage(error) ? 'debug' : 'error']({ err: error, failures }, 'a sweep failed');
    throw toActivityFailure(error);
  } finally {
    stopHeartbeats();
  }
}
