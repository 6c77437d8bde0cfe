import { defineConfig } from 'vitest/config';

const dearTests = 'test/**/*.{db,temporal}.test.ts';

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/labs/closing-line-reporter.ts'],
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: [dearTests] } },
      {
        extends: true,
        test: { name: 'engine', include: [dearTests], globalSetup: ['test/labs/global-setup.ts'] },
      },
    ],
  },
});
