import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const engineTests = 'test/**/*.{db,temporal}.test.ts';

export default defineConfig({
  test: {
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // One module registry for all files of a worker: loading the same modules for each file took a third of the time.
    isolate: false,
    // Tests that run concurrently spend their time waiting.
    maxConcurrency: 20,
    reporters: ['default', './test/labs/closing-line-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [engineTests],
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'engine',
          include: [engineTests],
          globalSetup: ['test/labs/global-setup.ts'],
          // All files share one Postgres and one Temporal server, which need a processor of their own: with more, steps
          // come late for the short limits that some turns of the tests have.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
