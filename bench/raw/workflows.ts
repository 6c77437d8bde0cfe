import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import { turnSteps } from '../programs/contract.ts';
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
