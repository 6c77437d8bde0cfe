import { startTriggered } from '../../src/triggers/start-triggered.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';

const deliveriesPerSweep = 100;
const groupSize = 10;
const removedPerSweep = 1000;

/** Starts deliveries to triggers whose process died before it started them, or could not, and removes old ones. */
export async function sweepTriggers({
  triggers: { starts, sweep },
  logger,
}: Pick<ActivityDependencies, 'triggers' | 'logger'>): Promise<void> {
  const unstarted = await sweep.takeUnstarted(deliveriesPerSweep);
  for (let first = 0; first < unstarted.length; first += groupSize) {
    const group = unstarted.slice(first, first + groupSize);
    await Promise.all(
      group.map((place) =>
        startTriggered(starts, place).catch((error: unknown) =>
          logger.warn(
            { err: error, deliveryId: place.deliveryId },
            'a delivery to a trigger could not be started; it is tried again',
          ),
        ),
      ),
    );
  }
  await sweep.removeOld(removedPerSweep);
}
