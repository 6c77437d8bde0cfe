import { executeChild, proxyActivities, proxyLocalActivities, uuid4 } from '@temporalio/workflow';
import { turnSteps, type RawSwarmInput } from '../programs/contract.ts';
import type { RawActivities } from './activities.ts';

const timeout = { startToCloseTimeout: 30_000 };
const { runRawStep } = proxyActivities<RawActivities>(timeout);
const { runRawSteps } = proxyLocalActivities<RawActivities>(timeout);

interface RawTurnInput {
  tag: string;
  /** Whether one local activity stores all steps. Without it, seven activities in a row do nothing. */
  local: boolean;
}

/** The baseline for a turn of seven steps. */
export async function rawTurn({ tag, local }: RawTurnInput): Promise<void> {
  if (local) return runRawSteps({ tag });
  for (let step = 1; step <= turnSteps; step++) await runRawStep({ tag, step });
}

/** The baseline for a routine: `count` activities, one after the other. */
export async function rawSteps({ tag, count }: { tag: string; count: number }): Promise<void> {
  for (let step = 1; step <= count; step++) await runRawStep({ tag, step });
}

/** The baseline for a swarm: its parts, without stored state. */
export async function rawSwarm({ count, inFlight, parts }: RawSwarmInput): Promise<void> {
  let left = count;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      const tag = uuid4();
      if (parts === 'steps') await runRawStep({ tag, step: 1 });
      else await executeChild(rawPart, { args: [{ tag, local: parts !== 'children' }] });
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
}

/** The baseline for a turn of one step: an activity, or a local one that stores it. */
export async function rawPart({ tag, local }: RawTurnInput): Promise<void> {
  if (local) await runRawSteps({ tag, steps: 1 });
  else await runRawStep({ tag, step: 1 });
}
