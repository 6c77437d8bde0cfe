import { expect, test } from 'vitest';
import { toFairnessReport } from '../../../bench/fairness/report-fairness.ts';
import type { FairnessFigures } from '../../../bench/fairness/measure-fairness.ts';

const machine = { system: 'linux', node: '24', processor: 'One', cores: 2, memoryGiB: 24, loadBefore: 0 };

const figures: FairnessFigures = {
  ...{ execution: 'direct', modelMs: 250, limit: 20 },
  ...{ idleMs: [10, 20, 30], besideMs: [30, 40, 50] },
  waiting: { before: 1_600, after: 1_000 },
  busyTurnsPerSecond: 12,
  processorShare: 0.5,
};

function toLines(...cases: FairnessFigures[]): string[] {
  const report = toFairnessReport({ startedAt: '2026-11-23T00:00:00.000Z', machine, waiting: 1_000, cases });
  return report.split('\n').filter((line) => line.includes(', model '));
}

test('holds the median beside turns that wait against that of an idle machine', () => {
  const [met, missed] = toLines(figures, { ...figures, besideMs: [30, 41, 50] });
  expect(met).toMatch(/^direct, model 250 ms, 20 at once +20\.0 +40\.0 .* 2\.00x .* 50 % +PASS$/);
  expect(missed).toMatch(/2\.05x .*FAIL$/);
});

test('a measurement beside fewer turns than promised has not met the goal', () => {
  const [short] = toLines({ ...figures, waiting: { before: 1_600, after: 999 }, processorShare: null });
  expect(short).toMatch(/ - +FAIL$/);
});
