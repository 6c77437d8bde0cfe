import { streamingRows } from '../peers/streaming/streaming-rows.ts';
import { toTable } from '../table.ts';
import type { LoadFigures } from './measure-load.ts';
import type { StreamsLoadFigures } from './run-streams-load.ts';

/** The columns of processor time, and the kinds of programs in each. */
const parts = {
  program: ['worker', 'program'],
  api: ['api'],
  postgres: ['postgres'],
  engine: ['temporal', 'engine'],
};
const kinds = Object.values(parts).flat();

const header = [
  ...['row', 'turns/s', 'CPU-ms a turn', ...Object.keys(parts), 'busy', 'to model p50 ms', 'p99'],
  ...['first piece p50 ms', 'p99', 'later p50 ms', 'p99', 'commits', 'KB of log'],
  ...['program MiB', 'api MiB', 'not whole'],
];

/** Returns the report as text with a table for each load. */
export function toStreamsLoadReport(figures: StreamsLoadFigures): string {
  const { startedAt, machine, load, idle, versions, problems } = figures;
  const headings = [...new Set(load.map(toHeading))];
  return [
    `Answers that stream, ${startedAt}`,
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.system}, Node ${machine.node}`,
    `Load before: ${machine.loadBefore.toFixed(1)}`,
    '',
    'A turn: 4 model calls of 0.2 to 2 s over HTTP unless the table says otherwise, 3 tool calls. Each conversation has a reader',
    'and sends its next message when the turn before has ended. A new server and database for each row; Holdfast with one API,',
    'one worker, Postgres and the development server of Temporal. Processor time without the model and the clients, which run',
    'on the same cores. Holdfast, dbos and restate store what they stream, so that a reader can resume it anywhere; the other',
    'streams end with the program that runs the turn. A row with turns that are not whole does not count.',
    ...headings.flatMap((heading) => [
      '',
      heading,
      toTable(header, load.filter((one) => toHeading(one) === heading).map(toLine)),
    ]),
    '',
    '* keeps no conversation: a turn does not read the earlier ones',
    ...load.flatMap(toEndings),
    ...toIdleLines(idle),
    ...(versions.length === 0 ? [] : ['', versions.join(', ')]),
    ...problems.map((problem) => `\nFAILED: ${problem}`),
  ].join('\n');
}

function toEndings(one: LoadFigures): string[] {
  const endings = Object.entries(one.notWhole).map(([ending, turns]) => `${turns} ${ending}`);
  return endings.length === 0 ? [] : [`${one.row}, ${toHeading(one)}, not whole: ${endings.join(', ')}`];
}

function toHeading({ inFlight, pieces, seconds }: LoadFigures): string {
  const heading = `${inFlight} at once, ${pieces} pieces`;
  return seconds === undefined
    ? heading
    : `${heading}, turns of ${seconds} s (the average of their model calls together)`;
}

function toIdleLines(idle: StreamsLoadFigures['idle']): string[] {
  const lines = Object.entries(idle).map(([row, used]) => {
    const each = Object.entries(parts).map(([part, names]) => `${part} ${toCell(used, names)}`);
    return `${row} without turns, CPU-ms a second: ${toCell(used, kinds)} (${each.join(', ')})`;
  });
  const about =
    'Their turns are measured from the first to the last, so that their CPU-ms include those without turns.';
  return lines.length === 0 ? [] : ['', ...lines, about];
}

function toLine(one: LoadFigures): string[] {
  const { processorMs, piecesMs, toModelMs, stored, residentMiB } = one;
  const { first, later } = piecesMs;
  return [
    `${one.row}${toMark(one.row)}${one.notCompleted > 0 ? ' (does not count)' : ''}`,
    one.turnsPerSecond.toFixed(1),
    ...[kinds, ...Object.values(parts)].map((names) => toCell(processorMs, names)),
    `${(100 * one.busyShare).toFixed(0)} %`,
    ...[toModelMs.p50, toModelMs.p99].map((ms) => ms.toFixed(0)),
    ...[first.p50, first.p99, later.p50, later.p99].map((ms) => ms.toFixed(1)),
    ...(stored === null
      ? ['-', '-']
      : [stored.holdfastCommits, stored.walBytes / 1000].map((n) => n.toFixed(0))),
    ...[parts.program, parts.api].map((names) => toCell(residentMiB, names)),
    `${one.notCompleted} of ${one.turns}`,
  ];
}

function toMark(name: string): string {
  return streamingRows.some((row) => row.name === name && !row.keepsConversations) ? '*' : '';
}

/** Returns the sum of the values of these kinds of programs, or `-` when a row has none of them. */
function toCell(values: Record<string, number>, names: readonly string[]): string {
  const found = names.map((name) => values[name]).filter((value) => value !== undefined);
  return found.length === 0 ? '-' : found.reduce((total, value) => total + value, 0).toFixed(0);
}
