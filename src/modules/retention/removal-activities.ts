import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import type { RemovalSteps } from './removal-contract.ts';
import type { Logger } from 'pino';
import type { RemoveRecords } from './create-record-removal.ts';
import { toActivityFailure } from '../../platform/activity/failures.ts';

/** The part of the time of the activity in which it begins new batches. */
const workingShare = 0.5;

/** Builds the activities of the workflow that removes rows. */
export function createRemovalActivities({
  removeRecords,
  logger,
}: {
  removeRecords: RemoveRecords;
  logger: Pick<Logger, 'info' | 'error'>;
}): RemovalSteps {
  return {
    removeRecords: async () => {
      const until = Date.now() + activityInfo().startToCloseTimeoutMs * workingShare;
      const signal = cancellationSignal();
      try {
        const result = await removeRecords(() => {
          heartbeat();
          return Date.now() < until && !signal.aborted;
        });
        const { more, ...removed } = result;
        if (Object.values(removed).some((count) => count > 0))
          logger.info({ ...removed, more }, 'removed rows');
        return result;
      } catch (error) {
        logger.error({ err: error }, 'rows could not be removed');
        throw toActivityFailure(error);
      }
    },
  };
}
