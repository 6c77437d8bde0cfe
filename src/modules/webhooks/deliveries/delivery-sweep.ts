import type { DeliverySweepRepository } from './delivery-sweep-repository.ts';
import type { WebhookDependencies } from '../webhook-dependencies.ts';
import type { SweepCounts } from '../../../contract/sweep-steps.ts';
import { sweepGroupSize, sweepRows, type SweepRun } from '../../../platform/work/sweep-rows.ts';

/** For how long an attempt must be due before its workflow is started or woken, in milliseconds: longer than a start takes. */
const dueGraceMs = 10_000;
/** How long ago the same delivery may have been started or woken by a sweep, in milliseconds. */
const againMs = 60_000;

interface DeliverySweepParts extends Pick<WebhookDependencies, 'startDelivery'> {
  sweep: DeliverySweepRepository;
}

/**
 * Starts the workflows of deliveries whose attempt is overdue: the process that stored them died before it started them,
 * or Temporal has lost them. A workflow that runs is only woken, and looks at the delivery by itself.
 */
export function sweepDeliveries(
  { sweep, startDelivery }: DeliverySweepParts,
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
