import type { SweepCounts } from '../../workflows/contract/sweep-steps.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { sweepGroupSize, sweepRows, type SweepRun } from '../sweep/sweep-rows.ts';

/** For how long an attempt must be due before its workflow is started or woken, in milliseconds: longer than a start takes. */
const dueGraceMs = 10_000;
/** How long ago the same delivery may have been started or woken by a sweep, in milliseconds. */
const againMs = 60_000;

/**
 * Starts the workflows of deliveries whose attempt is overdue: the process that stored them died before it started them,
 * or Temporal has lost them. A workflow that runs is only woken, and looks at the delivery by itself.
 */
export function sweepDeliveries(
  { webhooks: { sweep, startDelivery } }: Pick<ActivityDependencies, 'webhooks'>,
  run: SweepRun,
): Promise<SweepCounts> {
  return sweepRows(
    {
      take: () => sweep.takeOverdue({ graceMs: dueGraceMs, againMs, limit: sweepGroupSize }),
      toId: ({ deliveryId }) => deliveryId,
      sweepRow: startDelivery,
      markSwept: sweep.markSwept,
    },
    run,
  );
}
