import { expect, test } from 'vitest';
import { toMemoryFigures } from '../../../bench/measure/measure-memory.ts';
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
  memory: toMemoryFigures(
    [1, 2, 3, 4, 5].map((count) => ({ turns: count * 1000, residentMiB: 300, heapMiB: 60 + count * 14 })),
  ),
  live: { alone: [10, 20, 30], besideReplay: [20, 40, 60] },
};

test('compares replays with live turns, and live turns beside a replay with those alone', () => {
  const report = toReplaysReport(figures);
  expect(report).toContain('PASS: replays are 2.50 times as many as live turns; at least 2');
  expect(report).toContain('FAIL: the p95 beside a replay is 2.00 times that alone; at most 1.5');
});

test('tells whether the memory of the worker grows with the replays', () => {
  expect(toReplaysReport(figures)).toContain(
    'FAIL: flat; grows by 0.00 MiB resident, 14.00 MiB heap with 1000 turns',
  );
  const samples = figures.memory.samples.map((sample) => ({ ...sample, heapMiB: 60 }));
  expect(toReplaysReport({ ...figures, memory: toMemoryFigures(samples) })).toContain('PASS: flat; grows by');
});
