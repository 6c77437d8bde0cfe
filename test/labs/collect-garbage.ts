import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const rounds = 3;

/** Collects garbage, with what finalizers release in the first rounds, for tests that ask whether an object is still kept. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < rounds; round += 1) {
    // An object that was used in a task is kept until the task ends; finalizers run in separate tasks.
    await sleep(1);
    collect();
  }
}
