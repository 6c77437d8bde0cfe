import { describe, expect, it } from 'vitest';
import type { LoadFigures } from '../../../bench/scale/measure-load.ts';
import { toStreamsLoadReport } from '../../../bench/scale/report-streams-load.ts';
import type { StreamsLoadFigures } from '../../../bench/scale/run-streams-load.ts';

const machine = { system: 'linux', node: '24', processor: 'One', cores: 2, memoryGiB: 24, loadBefore: 0 };

const figures: LoadFigures = {
  ...{
    row: 'direct',
    inFlight: 50,
    pieces: 50,
    turns: 200,
    turnsPerSecond: 10,
    notCompleted: 0,
    busyShare: 0.75,
  },
  piecesMs: { first: { p50: 1, p99: 2 }, later: { p50: 3, p99: 4 } },
  processorMs: { worker: 50, api: 10, postgres: 20, temporal: 30, outside: 40 },
  toModelMs: { p50: 5, p95: 6, p99: 7 },
  toAcceptedMs: { p50: 1, p99: 2 },
  memory: { resident: 0, heap: 0, residentEach: 0, heapEach: 0 },
  residentMiB: { worker: 400, api: 250, postgres: 300, temporal: 100, outside: 90 },
  stored: { holdfastCommits: 25, temporalCommits: 0, walBytes: 40_000, holdfastBytes: 0, temporalBytes: 0 },
  connections: {},
  notWhole: {},
};

function toLines(load: LoadFigures[], more: Partial<StreamsLoadFigures> = {}): string[] {
  const none = { startedAt: '', idle: {}, versions: [], problems: [] };
  return toStreamsLoadReport({ ...none, machine, load, ...more }).split('\n');
}

describe('toStreamsLoadReport', () => {
  it('counts the programs of a row and leaves out the model and the clients', () => {
    const line = toLines([figures]).find((one) => one.startsWith('direct'));
    expect(line?.split(/ {2,}/)).toEqual([
      ...['direct', '10.0', '110', '50', '10', '20', '30', '75 %', '5', '7'],
      ...['1.0', '2.0', '3.0', '4.0', '25', '40', '400', '250', '0 of 200'],
    ]);
  });

  it('leaves places empty for programs that a row does not have', () => {
    const bare = { ...figures, row: 'bare', processorMs: { program: 20, outside: 40 }, stored: null };
    const line = toLines([{ ...bare, residentMiB: { program: 50 } }]).find((one) => one.startsWith('bare'));
    expect(line).toMatch(/^bare +10\.0 +20 +20 +- +- +- .* - +- +50 +- +0 of 200$/);
  });

  it('marks a row with turns that are not whole, and says how they ended', () => {
    const lines = toLines([{ ...figures, notCompleted: 1, notWhole: { 'failed with 20 pieces': 1 } }]);
    expect(lines.some((one) => /^direct \(does not count\) .* 1 of 200$/.test(one))).toBe(true);
    expect(lines).toContain('direct, 50 at once, 50 pieces, not whole: 1 failed with 20 pieces');
  });

  it('marks rows that keep no conversation', () => {
    expect(toLines([{ ...figures, row: 'dbos' }]).some((one) => one.startsWith('dbos* '))).toBe(true);
  });

  it('has a table for each load, and names the rows that failed', () => {
    const lines = toLines([figures, { ...figures, row: 'dbos' }, { ...figures, pieces: 150 }], {
      problems: ['mastra: stopped'],
    });
    expect(lines.filter((line) => / at once, /.test(line))).toEqual([
      '50 at once, 50 pieces',
      '50 at once, 150 pieces',
    ]);
    expect(lines).toContain('FAILED: mastra: stopped');
  });

  it('names the length of turns, and what their programs use without them', () => {
    const idle = { direct: { worker: 3, api: 2, postgres: 5, temporal: 20, outside: 50 } };
    const lines = toLines([figures, { ...figures, seconds: 60 }], { idle });
    expect(lines.filter((line) => / at once, /.test(line))).toEqual([
      '50 at once, 50 pieces',
      '50 at once, 50 pieces, turns of 60 s (the average of their model calls together)',
    ]);
    expect(lines).toContain(
      'direct without turns, CPU-ms a second: 30 (program 3, api 2, postgres 5, engine 20)',
    );
  });
});
