import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { RawActivities } from './activities.ts';

const steps = 7;
const timeout = { startToCloseTimeout: 30_000 };
const regular = proxyActivities<RawActivities>(timeout);
const local = proxyLocalActivities<RawActivities>(timeout);

interface RawTurnInput {
  tag: string;
  local: boolean;
}

/** The baseline for a turn: a workflow of seven steps in a row that do nothing. */
export async function rawTurn(input: RawTurnInput): Promise<number> {
  const { runRawStep } = input.local ? local : regular;
  for (let step = 1; step <= steps; step++) await runRawStep({ tag: input.tag, step });
  return steps;
}
