import type { TriggerDeliveryRef } from './trigger-sweep-repository.ts';
import type { TriggerDependencies, StartDependencies } from './trigger-dependencies.ts';
import { startTriggered } from './start-triggered.ts';

/** The maximum number of deliveries that a process starts at the same time; others are left to the sweeper. */
const mostStarts = 20;

/** Starts deliveries of one process in the background. */
export interface TriggerStarts {
  startTriggered: TriggerDependencies['startTriggered'];
  /** Waits until the starts that have begun have ended. */
  finish: () => Promise<void>;
}

/** Creates the starts of one process. A delivery whose start fails is started by the sweeper. */
export function createTriggerStarts(dependencies: StartDependencies): TriggerStarts {
  const running = new Set<Promise<void>>();
  const run = async (ref: TriggerDeliveryRef): Promise<void> => {
    try {
      await startTriggered(dependencies, ref);
    } catch (error) {
      const { deliveryId } = ref;
      dependencies.logger.warn(
        { err: error, deliveryId },
        'the delivery to a trigger is stored, but not started; the sweeper will start it',
      );
    }
  };
  return {
    startTriggered: (ref) => {
      if (running.size >= mostStarts) return;
      const started = run(ref).finally(() => running.delete(started));
      running.add(started);
    },
    finish: async () => {
      await Promise.all(running);
    },
  };
}
