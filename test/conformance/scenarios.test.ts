import { expect, test } from 'vitest';
import { notOffered } from './not-offered.ts';
import { listScenarios, revisions } from './scenarios.ts';

test('every scenario that is not offered is one of the suite', () => {
  const known = new Set(revisions.flatMap(listScenarios).map(({ name }) => name));
  expect(Object.keys(notOffered).filter((name) => !known.has(name))).toEqual([]);
});

test.each([
  ['2026-07-28', 39, 32],
  ['2025-11-25', 25, 18],
] as const)('the suite has the scenarios that docs/tools/mcp.md counts for %s', (revision, all, required) => {
  const scenarios = listScenarios(revision);
  expect([scenarios.length, scenarios.filter(({ isRequired }) => isRequired).length]).toEqual([
    all,
    required,
  ]);
});
