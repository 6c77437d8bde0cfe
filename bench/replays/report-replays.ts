import { toMemoryReport } from '../measure/report-memory.ts';
import { median, quantile } from '../statistics.ts';
import { toTable } from '../table.ts';
import type { ReplayFigures } from './run-replays.ts';

/** The goals: replays for each live turn in the same time, and the p95 of live turns beside a replay to that alone. */
const leastSpeed = 2;
const mostSlowdown = 1.5;

/** Returns the report as text with tables. */
export function toReplaysReport(figures: ReplayFigures): string {
  const { startedAt, machine, count, liveTurnsPerSecond, replaysPerSecond, live } = figures;
  const speed = replaysPerSecond / liveTurnsPerSecond;
  const slowdown = quantile(live.besideReplay, 0.95) / quantile(live.alone, 0.95);
  return [
    `Replays of ${count} recorded turns, ${startedAt}`,
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.system}, Node ${machine.node}`,
    `Load before: ${machine.loadBefore.toFixed(1)}`,
    'Turns with three tool calls and a model that answers at once. One worker runs turns and another one replays, both on',
    'this machine.',
    '',
    toTable(
      ['', 'a second'],
      [
        ['direct turns, live', liveTurnsPerSecond.toFixed(1)],
        ['the same turns, replayed', replaysPerSecond.toFixed(1)],
      ],
    ),
    `${speed >= leastSpeed ? 'PASS' : 'FAIL'}: replays are ${speed.toFixed(2)} times as many as live turns; at least ${leastSpeed}`,
    '',
    ...toMemoryReport('Memory of the worker that replays', figures.memory),
    '',
    'Milliseconds of live direct turns, one at a time',
    toTable(
      ['', 'turns', 'median', 'p95'],
      Object.entries(live).map(([name, ms]) => [
        name === 'alone' ? 'alone' : 'beside a replay',
        String(ms.length),
        median(ms).toFixed(1),
        quantile(ms, 0.95).toFixed(1),
      ]),
    ),
    `${slowdown <= mostSlowdown ? 'PASS' : 'FAIL'}: the p95 beside a replay is ${slowdown.toFixed(2)} times that alone; at most ${mostSlowdown}`,
  ].join('\n');
}
