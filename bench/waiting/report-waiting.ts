import { median, quantile } from '../statistics.ts';
import { toTable } from '../table.ts';
import type { WaitingFigures } from './run-waiting.ts';

const processNames = ['postgres', 'temporal', 'worker', 'api'] as const;

/** The goals: bytes of Holdfast's database for a turn, and the median from a decision to the call of the tool. */
const mostBytes = 10_000;
const mostMs = 100;

/** The smallest size of a table that gets a separate line, in bytes for each turn. */
const shownBytes = 50;

/** Returns the report as text with tables. */
export function toWaitingReport(figures: WaitingFigures): string {
  const { startedAt, machine, count } = figures;
  return [
    `Holdfast with ${count} turns that wait for approvals, ${startedAt}`,
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.system}, Node ${machine.node}`,
    `Load before: ${machine.loadBefore.toFixed(1)}`,
    'Half of the turns are inspectable, half direct. Each is in a conversation of its own, with a message of one line and one',
    'tool call. Everything that `npm start` starts, on this one machine.',
    '',
    ...toSizeLines(figures),
    '',
    ...toIdleLines(figures),
    '',
    ...toDecisionLines(figures),
  ].join('\n');
}

function toSizeLines({ sizes }: WaitingFigures): string[] {
  const tables = Object.entries(sizes.tables).toSorted(([, a], [, b]) => b - a);
  const together = tables.reduce((sum, [, bytes]) => sum + bytes, 0);
  return [
    'Bytes for each turn that waits: tables of Holdfast with their indexes, and the files of Temporal',
    toTable(
      ['', 'bytes'],
      [
        ...tables.filter(([, bytes]) => bytes >= shownBytes).map(([name, bytes]) => [name, bytes.toFixed(0)]),
        ['all tables of Holdfast', together.toFixed(0)],
        ['files of Temporal', sizes.temporal.toFixed(0)],
      ],
    ),
    `${together <= mostBytes ? 'PASS' : 'FAIL'}: at most ${mostBytes} bytes of Holdfast's database`,
  ];
}

function toIdleLines({ idle, idleSeconds, count }: WaitingFigures): string[] {
  const toLine = (name: string, times: Record<string, number>) => [
    name,
    ...processNames.map((one) => (times[one] ?? NaN).toFixed(2)),
    processNames.reduce((sum, one) => sum + (times[one] ?? NaN), 0).toFixed(2),
  ];
  return [
    `Processor seconds in ${idleSeconds} s in which nobody asks for anything`,
    toTable(
      ['', ...processNames, 'together'],
      [toLine('no turn waits', idle.before), toLine(`${count} turns wait`, idle.waiting)],
    ),
  ];
}

function toDecisionLines({ decisions }: WaitingFigures): string[] {
  const lines = decisions.map(({ execution, waited, ms }) => [
    `${execution}, has waited for ${waited}`,
    String(ms.length),
    median(ms).toFixed(1),
    quantile(ms, 0.99).toFixed(1),
    median(ms) <= mostMs ? 'PASS' : 'FAIL',
  ]);
  return [
    'Milliseconds from the sending of an approval to the API until the tool is called',
    toTable(['', 'decisions', 'median', 'p99', `median <= ${mostMs}`], lines),
  ];
}
