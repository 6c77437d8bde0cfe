import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { monotonicMs } from '../clock.ts';
import type { FirstStepRequests, MeasuredRequests } from './contract.ts';

/** Records when the first step of each turn begins, and answers the requests to a worker program. */
export function createWorkerRequests() {
  let firstSteps: Record<string, number> = {};
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const requests: FirstStepRequests & MeasuredRequests = {
    takeFirstSteps: () => {
      const taken = firstSteps;
      firstSteps = {};
      return Promise.resolve(taken);
    },
    measureMemory: () => {
      collectGarbage();
      const { rss, heapUsed } = process.memoryUsage();
      return Promise.resolve({ resident: rss, heap: heapUsed });
    },
  };
  return {
    requests,
    note: (tag: string): void => {
      firstSteps[tag] ??= monotonicMs();
    },
  };
}
