import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import LongestFirst from './test/labs/longest-first.ts';

const engineTests = 'test/**/*.{db,temporal}.test.ts';
// These take minutes together, most of them by killing workers or waiting for them; `npm run test:long` runs them.
const longTests = [
  'test/end-to-end/start.temporal.test.ts',
  'test/modules/knowledge/document-workflow.temporal.test.ts',
  'test/modules/turns/messages-crossing-ends.temporal.test.ts',
  'test/main/history-check/seeded-breaks.temporal.test.ts',
  'test/modules/routines/long-routine.temporal.test.ts',
  'test/modules/replays/interrupted-replay.temporal.test.ts',
  'test/platform/database/query-plans.db.test.ts',
  'test/modules/actions/lasting-approvals.temporal.test.ts',
  'test/modules/routines/killed-workers.temporal.test.ts',
  'test/modules/credits/killed-workers.temporal.test.ts',
  'test/modules/credits/killed-budget.temporal.test.ts',
  'test/modules/actions/decision-races.temporal.test.ts',
  'test/modules/swarms/interrupted-swarm.temporal.test.ts',
  'test/workflows/worker-absence.temporal.test.ts',
  'test/workflows/waiting-for-workers.temporal.test.ts',
  'test/workflows/child-recovery.temporal.test.ts',
  'test/workflows/fair-ingestion.temporal.test.ts',
  'test/modules/actions/swept-waits.temporal.test.ts',
  'test/main/history-check/export-histories.temporal.test.ts',
  'test/readme/rolling-deploy.temporal.test.ts',
  'test/main/dev/embedded-postgres.db.test.ts',
  'test/modules/replays/many-conversations.temporal.test.ts',
];
/** `true` lets long tests be named, `only` runs them all and no others. */
const long = process.env['HOLDFAST_LONG_TESTS'];

export default defineConfig({
  test: {
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 120_000,
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
          include: long === 'only' ? longTests : [engineTests],
          exclude: long === undefined ? longTests : [],
          globalSetup: ['test/labs/global-setup.ts'],
          // These tests wait for timers and restarts more than they compute, so one more than the cores of a small
          // machine pays. With four, steps come late for the short limits that some turns of the tests have.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
