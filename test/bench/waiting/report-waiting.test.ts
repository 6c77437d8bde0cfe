import { expect, it } from 'vitest';
import { toSizesEach } from '../../../bench/waiting/measure-waiting.ts';
import { toWaitingReport } from '../../../bench/waiting/report-waiting.ts';
import type { WaitingFigures } from '../../../bench/waiting/run-waiting.ts';

const idle = { postgres: 0.1, temporal: 0.2, worker: 0.1, api: 0 };

const figures: WaitingFigures = {
  startedAt: '2026-11-23T00:00:00.000Z',
  machine: { system: 'linux', node: '24', processor: 'One', cores: 2, memoryGiB: 24, loadBefore: 0 },
  count: 10,
  sizes: { tables: { turns: 6_000, events: 4_001, agents: 1 }, temporal: 50_000 },
  idleSeconds: 30,
  idle: { before: idle, waiting: { ...idle, postgres: 0.4 } },
  decisions: [
    { execution: 'direct', waited: 'long', ms: [40, 50, 400] },
    { execution: 'inspectable', waited: 'a moment', ms: [90, 110, 120] },
  ],
};

it('divides what was stored between two readings by the turns', () => {
  const before = { tables: { turns: 8_192 }, temporal: 1_000 };
  const after = { tables: { turns: 28_192, events: 10_000 }, temporal: 101_000 };
  expect(toSizesEach(before, after, 10)).toEqual({
    tables: { turns: 2_000, events: 1_000 },
    temporal: 10_000,
  });
});

it('holds the bytes of a turn and the medians of decisions against their goals', () => {
  const lines = toWaitingReport(figures).split('\n');

  expect(lines).toContain('all tables of Holdfast  10002');
  expect(lines.find((line) => line.startsWith('agents'))).toBeUndefined();
  expect(lines).toContain("FAIL: at most 10000 bytes of Holdfast's database");
  expect(lines.find((line) => line.startsWith('direct'))).toMatch(/3 +50\.0 +393\.0 +PASS$/);
  expect(lines.find((line) => line.startsWith('inspectable'))).toMatch(/3 +110\.0 +119\.8 +FAIL$/);
  expect(lines.find((line) => line.startsWith('10 turns wait'))).toMatch(/0\.40 .* 0\.70$/);
});
