import { expect, test } from 'vitest';
import { toReplaysReport } from '../../../bench/replays/report-replays.ts';
import type { ReplayFigures } from '../../../bench/replays/run-replays.ts';

const figures: ReplayFigures = {
  startedAt: '2026-01-01T00:00:00.000Z',
  machine: {
    processor: 'CPU',
    cores: 2,
    memoryGiB: 8,
    system: 'linux x64',
    node: 'v24.0.0',
    loadBefore: 0.1,
  },
  count: 500,
  liveTurnsPerSecond: 50,
  replaysPerSecond: 125,
  memory: [{ turns: 500, residentMiB: 300, heapMiB: 80 }],
  live: { alone: [10, 20, 30], besideReplay: [20, 40, 60] },
};

test('compares replays with live turns, and live turns beside a replay with those alone', () => {
  const report = toReplaysReport(figures);
  expect(report).toContain('PASS: replays are 2.50 times as many as live turns; at least 2');
  expect(report).toContain('FAIL: the p95 beside a replay is 2.00 times that alone; at most 1.5');
});
