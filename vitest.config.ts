import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import LongestFirst from './test/labs/longest-first.ts';

const unitTests = ['test/**/*.test.ts', 'providers/test/**/*.test.ts'];
const engineTests = 'test/**/*.{db,temporal}.test.ts';
/**
 * These kill workers, wait for limits, try every combination, build and start whole programs, or open every screen of the console:
 * an hour together. `npm run test:long` runs them, and `npm run test:console` those of the console alone.
 */
const longTests = 'test/**/*.long.test.ts';

/** The options of tests that need Postgres and Temporal. */
const engine = {
  globalSetup: ['test/labs/global-setup.ts'],
  // These tests wait for timers and restarts more than they compute, so one more than the cores of a small
  // machine pays. With four, steps come late for the short limits that some turns of the tests have.
  maxWorkers: 3,
};

export default defineConfig({
  test: {
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A condition that a test waits for comes late on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    // One module registry for all files of a worker: loading the same modules for each file took a third of the time.
    isolate: false,
    // Tests that run concurrently spend their time waiting.
    maxConcurrency: 20,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/labs/durations-reporter.ts', './test/labs/closing-line-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: unitTests,
          exclude: [engineTests, longTests],
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...engine,
          name: 'engine',
          include: [engineTests],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...engine,
          name: 'long',
          include: [longTests],
          // Most tests start several processes, and wait until Temporal has noticed that one was killed.
          testTimeout: 180_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
