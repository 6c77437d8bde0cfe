import type { ActivityDependencies } from '../activity-dependencies.ts';

/** For how long an attempt must be due before its workflow is started or woken, in milliseconds: longer than a start takes. */
const dueGraceMs = 10_000;
/** How long ago the same delivery may have been started or woken by a sweep, in milliseconds. */
const againMs = 60_000;
const deliveriesPerSweep = 500;
const groupSize = 20;

/**
 * Starts the workflows of deliveries whose attempt is overdue: the process that stored them died before it started them,
 * or Temporal has lost them. A workflow that runs is only woken, and looks at the delivery by itself.
 */
export async function sweepDeliveries({
  webhooks: { sweep, startDelivery },
  logger,
}: Pick<ActivityDependencies, 'webhooks' | 'logger'>): Promise<void> {
  const overdue = await sweep.takeOverdue({ graceMs: dueGraceMs, againMs, limit: deliveriesPerSweep });
  for (let start = 0; start < overdue.length; start += groupSize) {
    const group = overdue.slice(start, start + groupSize);
    await Promise.all(
      group.map((delivery) =>
        startDelivery(delivery).catch((error: unknown) =>
          logger.error(
            { err: error, deliveryId: delivery.deliveryId },
            'a delivery to a webhook could not be swept',
          ),
        ),
      ),
    );
  }
}
