import { setTimeout as sleep } from 'node:timers/promises';
import { toUsedTimes } from '../measure/processor-time.ts';
import { readGroupTimes } from './group-times.ts';
import type { LoadTarget } from './load-target.ts';

/** How long the programs have no turns before they are measured, and while they are, in milliseconds. */
const settleMs = 3_000;
const idleMs = 5_000;

/** Returns the processor milliseconds that the programs of a target use in a second without turns, by their kind. */
export async function measureIdle({ groups }: Pick<LoadTarget, 'groups'>): Promise<Record<string, number>> {
  await sleep(settleMs);
  const startedAt = performance.now();
  const before = readGroupTimes(groups);
  await sleep(idleMs);
  const used = toUsedTimes(before, readGroupTimes(groups));
  const seconds = (performance.now() - startedAt) / 1000;
  return Object.fromEntries(Object.entries(used).map(([name, time]) => [name, (time / seconds) * 1000]));
}
