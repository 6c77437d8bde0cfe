import type { SweepCounts } from '../../src/contract/sweep-steps.ts';
import type { RepairDependencies } from '../step-dependencies.ts';

/** Deletes chunks of streams that no reader comes back for. */
export async function sweepChunks({ sweep }: Pick<RepairDependencies, 'sweep'>): Promise<SweepCounts> {
  await sweep.deleteOldChunks();
  return { done: 0, failed: 0 };
}
