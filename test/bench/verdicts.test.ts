import { describe, expect, it } from 'vitest';
import { checkGrowth } from '../../bench/measure/measure-growth.ts';
import { toMemoryFigures } from '../../bench/measure/measure-memory.ts';
import type { RowFigures } from '../../bench/measure/measure-row.ts';
import { toTable } from '../../bench/table.ts';
import { checkTargets, toRatios } from '../../bench/targets.ts';

function toSamples(toHeap: (turns: number) => number, toResident: (turns: number) => number = () => 300) {
  return Array.from({ length: 20 }, (_, index) => {
    const turns = (index + 1) * 250;
    return { turns, heapMiB: toHeap(turns), residentMiB: toResident(turns) };
  });
}

describe('toMemoryFigures', () => {
  it('reports no growth when memory only rises during the warm-up', () => {
    expect(toMemoryFigures(toSamples((turns) => (turns <= 1000 ? 20 + turns / 50 : 40))).flat).toBe(true);
  });

  it('finds a leak of 2 KiB a turn', () => {
    const { flat, growthMiB } = toMemoryFigures(toSamples((turns) => 40 + turns / 512));
    expect(flat).toBe(false);
    expect(growthMiB.heap).toBeCloseTo(1.953, 2);
  });

  it('finds a leak outside the heap', () => {
    const samples = toSamples(
      () => 40,
      (turns) => 300 + turns / 50,
    );
    expect(toMemoryFigures(samples).flat).toBe(false);
  });
});

describe('checkGrowth', () => {
  const toFigures = (row: string, position: number, historyBytes: number) => ({
    row,
    position,
    historyBytes,
    medianMs: 1,
    p95Ms: 1,
    historyEvents: 1,
  });

  it('compares each row with its own first turn', () => {
    const figures = [
      toFigures('a', 1, 1000),
      toFigures('b', 1, 2000),
      toFigures('a', 50, 1040),
      toFigures('b', 50, 2200),
    ];
    expect(checkGrowth(figures).map(({ row, passed }) => [row, passed])).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });
});

const toRow = (row: string, medianMs: number, turnsPerSecond: Record<string, number>) =>
  ({ row, medianMs, turnsPerSecond }) as RowFigures;

describe('toRatios', () => {
  it('compares a row with the baseline that runs its steps the same way', () => {
    const figures = [
      toRow('floor of inspectable', 100, { 8: 20 }),
      toRow('floor of direct', 30, { 8: 60 }),
      toRow('direct', 36, { 8: 50 }),
    ];
    expect(toRatios(toRow('direct', 36, { 8: 50 }), figures)).toEqual([1.2, 1.2]);
  });

  it('gives a baseline no ratio', () => {
    expect(toRatios(toRow('floor of direct', 30, {}), [])).toEqual([]);
  });
});

describe('checkTargets', () => {
  const more = { processorSeconds: { worker: 12, temporal: 9 }, toFirstStepMs: 8, historyEvents: 7 };
  const direct = { ...toRow('direct', 30, { 8: 40 }), ...more };
  const figures = { engine: 'dev-server' as const, growth: [], memory: null };
  const judge = (rows: RowFigures[]) =>
    checkTargets({ ...figures, rows }).map(({ target, measured, limit }) => [target, measured <= limit]);

  it('fails a target that is missed and passes the others', () => {
    expect(judge([toRow('floor of direct', 18, { 8: 50 }), direct])).toEqual([
      ['direct: latency / floor', false],
      ['direct: floor / turns/s at 8', true],
      ['direct: CPU-ms of worker with submitting program, Temporal and Postgres', true],
      ['direct: ms from accepted to model called', true],
    ]);
  });

  it('fails a ratio whose floor was not measured', () => {
    expect(judge([direct])[0]).toEqual(['direct: latency / floor', false]);
  });

  it('counts the time of every process that HTTP adds', () => {
    const overHttp = {
      ...direct,
      row: 'direct, over HTTP',
      medianMs: 37,
      processorSeconds: { worker: 14, api: 14 },
    };
    expect(judge([direct, overHttp]).slice(-2)).toEqual([
      ['direct, over HTTP: ms more than direct', true],
      ['direct, over HTTP: CPU-ms more than direct, client included', false],
    ]);
  });
});

describe('aligns the first column to the left and numbers to the right', () => {
  it('lays out the first column to the left and numbers to the right', () => {
    expect(
      toTable(
        ['row', 'ms'],
        [
          ['brief', '9.5'],
          ['inspectable', '10.5'],
        ],
      ).split('\n'),
    ).toEqual(['row            ms', '-----------  ----', 'brief         9.5', 'inspectable  10.5']);
  });
});
