import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const engineTests = 'test/**/*.{db,temporal}.test.ts';

export default defineConfig({
  test: {
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 120_000,
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
          // These tests wait for timers and restarts more than they compute, so one more than the cores of a small
          // machine pays; all share one Postgres and one Temporal server.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
