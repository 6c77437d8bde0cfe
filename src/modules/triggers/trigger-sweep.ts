import type { TriggerDeliveryRef } from './trigger-sweep-repository.ts';
import { startTriggered } from './start-triggered.ts';
import type { SweepCounts } from '../../contract/sweep-steps.ts';
import type { TriggerSweepRepository } from './trigger-sweep-repository.ts';
import type { StartDependencies } from './trigger-dependencies.ts';
import { sweepGroupSize, sweepRows, type SweepRun } from '../../platform/work/sweep-rows.ts';

const removedPerSweep = 1000;

interface TriggerSweepParts {
  starts: StartDependencies;
  sweep: TriggerSweepRepository;
}

/** Starts deliveries to triggers whose process died before it started them, or could not, and removes old ones. */
export async function sweepTriggers(parts: TriggerSweepParts, run: SweepRun): Promise<SweepCounts> {
  const { sweep } = parts;
  const counts = await sweepRows(
    {
      take: () => sweep.takeUnstarted(sweepGroupSize),
      toId: ({ deliveryId }) => deliveryId,
      sweepRow: (delivery) => startOrPostpone(parts, delivery),
    },
    run,
  );
  await sweep.removeOld(removedPerSweep);
  return counts;
}

async function startOrPostpone(
  { starts, sweep }: TriggerSweepParts,
  delivery: TriggerDeliveryRef,
): Promise<void> {
  try {
    await startTriggered(starts, delivery);
  } catch (error) {
    await sweep.postpone(delivery.deliveryId);
    throw error;
  }
}
