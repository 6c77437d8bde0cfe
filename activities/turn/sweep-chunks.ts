import type { SweepCounts } from '../../workflows/contract/sweep-steps.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';

/** Deletes chunks of streams that no reader comes back for. */
export async function sweepChunks({ sweep }: Pick<ActivityDependencies, 'sweep'>): Promise<SweepCounts> {
  await sweep.deleteOldChunks();
  return { done: 0, failed: 0 };
}
