import { median, quantile } from '../statistics.ts';
import { toTable } from '../table.ts';
import type { FairnessFigures } from './measure-fairness.ts';
import type { FairnessReport } from './run-fairness.ts';

/** The goal: the median of a workspace beside turns of another one that wait, to that of an idle machine. */
const mostSlowdown = 2;

/** Returns the report as text with a table. */
export function toFairnessReport({ startedAt, machine, waiting, cases }: FairnessReport): string {
  return [
    `Turns of one workspace beside ${waiting} turns of another one that wait, ${startedAt}`,
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.system}, Node ${machine.node}`,
    `Load before: ${machine.loadBefore.toFixed(1)}`,
    'Turns with four model calls and three tool calls, one at a time, submitted apart from the worker. One worker runs the',
    'turns of both workspaces; everything is on this one machine. Medians in milliseconds.',
    '',
    toTable(
      [
        '',
        'idle',
        'beside',
        'p95',
        'turns',
        'ratio',
        'wait at the end',
        'busy turns/s',
        'processors',
        'goal',
      ],
      cases.map((one) => toLine(one, waiting)),
    ),
    `PASS: the median is at most ${mostSlowdown} times that of an idle machine, while ${waiting} turns or more wait.`,
  ].join('\n');
}

function toLine(figures: FairnessFigures, leastWaiting: number): string[] {
  const { execution, modelMs, limit, idleMs, besideMs, waiting, processorShare } = figures;
  const ratio = median(besideMs) / median(idleMs);
  const isMet = ratio <= mostSlowdown && waiting.after >= leastWaiting;
  return [
    `${execution}, model ${modelMs} ms, ${limit} at once`,
    median(idleMs).toFixed(1),
    median(besideMs).toFixed(1),
    quantile(besideMs, 0.95).toFixed(1),
    String(besideMs.length),
    `${ratio.toFixed(2)}x`,
    String(waiting.after),
    figures.busyTurnsPerSecond.toFixed(1),
    processorShare === null ? '-' : `${(processorShare * 100).toFixed(0)} %`,
    isMet ? 'PASS' : 'FAIL',
  ];
}
