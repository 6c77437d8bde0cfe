import { describe, expect, it } from 'vitest';
import { toSwarmsReport } from '../../../bench/swarms/report-swarms.ts';
import { swarmRows, type SwarmFigures } from '../../../bench/swarms/run-swarms.ts';

const machine = {
  ...{ system: 'linux x64', processor: 'Test', cores: 2, memoryGiB: 24, node: 'v24', loadBefore: 0.5 },
};

/** Figures in which the raw engine takes 1,000 ms, and a swarm so many. */
function toFigures(swarmMs: number[]): SwarmFigures {
  const ms = Object.fromEntries(
    swarmRows.map(({ name, kind }) => [name, kind === 'swarm' ? swarmMs : [1000, 900, 1100]]),
  );
  return { startedAt: '2026-01-01T00:00:00.000Z', machine, count: 100, ms };
}

const linesOf = (swarmMs: number[]) => toSwarmsReport(toFigures(swarmMs)).split('\n');

describe('the report of swarms', () => {
  it('shows the median, the least and the most of each row, and the time for each subtask', () => {
    const lines = linesOf([1300, 1200, 1500]);

    expect(lines[0]).toBe('A swarm of 100 subtasks, 2026-01-01T00:00:00.000Z');
    const cellsOf = (name: string) =>
      lines
        .find((line) => line.startsWith(name))
        ?.slice(name.length)
        .trim()
        .split(/\s+/);
    expect(cellsOf('swarm of direct turns')).toEqual(['1300', '1200', '1500', '13.0']);
    expect(cellsOf('raw engine: activities')).toEqual(['1000', '900', '1100', '10.0']);
    expect(swarmRows.filter(({ name }) => cellsOf(name) === undefined)).toEqual([]);
  });

  it('compares the medians of swarms with those of their child workflows, of activities and of turns', () => {
    const checks = (swarmMs: number[]) => linesOf(swarmMs).filter((line) => /^(PASS|FAIL)|^ {6}/.test(line));

    expect(checks([1500, 1500, 9000])).toEqual([
      'PASS: the time of a swarm of inspectable turns is 1.50 times that of its child workflows alone; at most 1.5',
      '      1.50 times that of raw engine: activities, 1.50 times that of inspectable turns without a swarm',
      'PASS: the time of a swarm of direct turns is 1.50 times that of its child workflows alone; at most 1.5',
      '      1.50 times that of raw engine: activities, 1.50 times that of direct turns without a swarm',
    ]);
    expect(checks([1510, 1510, 1510]).filter((line) => line.startsWith('FAIL'))).toHaveLength(2);
  });
});
