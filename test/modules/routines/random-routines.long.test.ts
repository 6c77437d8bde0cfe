import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../../src/main/logger.ts';
import { bundleForReplay } from '../../../src/main/history-check/bundle-for-replay.ts';
import { createRoutineScene } from '../../labs/routine-scene.ts';
import { ensureTemporalLogger, startLocalWorker, type LocalWorker } from '../../labs/turn-lab-worker.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { playRoutines } from './random/play-routines.ts';
import { randomRoutines } from './random/routine-arbitrary.ts';

/** Options of `npm run random-routines`, such as `HOLDFAST_RANDOM_ROUTINES=500`; without them a few routines are run. */
const { HOLDFAST_RANDOM_ROUTINES, HOLDFAST_RANDOM_SEED, HOLDFAST_RANDOM_UNCACHED } = process.env;
const count = Number(HOLDFAST_RANDOM_ROUTINES ?? 4);
const seed = Number(HOLDFAST_RANDOM_SEED ?? 1);
const isUncached = HOLDFAST_RANDOM_UNCACHED === 'true';

let lab: TurnLab;
let worker: LocalWorker;

beforeAll(async () => {
  ensureTemporalLogger(createLogger({ logLevel: 'silent' }, 'replay'));
  lab = await startTurnLab({ worker: false });
  worker = await startLocalWorker(lab.environment, isUncached ? { maxCachedWorkflows: 0 } : {});
});

afterAll(async () => {
  await worker.stop();
  await lab.close();
});

test(
  `${count} random routines with the seed ${seed} end, and are replayed as they ran`,
  async () => {
    const scene = await createRoutineScene(lab);
    const routines = fc.sample(randomRoutines, { numRuns: count, seed });
    const broken = await playRoutines({ lab, scene, bundle: await bundleForReplay() }, routines);
    expect(broken.map((routine) => JSON.stringify({ seed, ...routine }))).toEqual([]);
  },
  60_000 + count * 5_000,
);
