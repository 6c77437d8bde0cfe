import { expect, it } from 'vitest';
import { countTests } from './closing-line-reporter.ts';

type Modules = Parameters<typeof countTests>[0];

function toModule(states: string[], errors: unknown[] = []): Modules[number] {
  const tests = states.map((state) => ({ result: () => ({ state }) }));
  return {
    children: { allTests: () => tests, allSuites: () => [] },
    errors: () => errors,
  } as unknown as Modules[number];
}

it('the closing line counts the passed tests of all files', () => {
  expect(countTests([toModule(['passed', 'passed']), toModule(['passed'])], [])).toEqual({
    passed: 3,
    failed: 0,
  });
});

it('the closing line counts a test that did not run as failed', () => {
  expect(countTests([toModule(['passed', 'failed', 'skipped', 'pending'])], [])).toEqual({
    passed: 1,
    failed: 3,
  });
});

it('the closing line counts a file that could not be loaded and an error outside tests as failed', () => {
  const stray = [{ message: 'unhandled' }];
  expect(countTests([toModule([], [{ message: 'cannot load' }])], stray)).toEqual({ passed: 0, failed: 2 });
});
