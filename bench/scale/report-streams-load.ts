import { toTable } from '../table.ts';
import type { LoadFigures } from './measure-load.ts';
import type { StreamsLoadFigures } from './run-streams-load.ts';

const parts = ['worker', 'api', 'postgres', 'temporal'] as const;

/** Returns the report as text with one table. */
export function toStreamsLoadReport({ startedAt, machine, load }: StreamsLoadFigures): string {
  return [
    `Holdfast with answers that stream, ${startedAt}`,
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.system}, Node ${machine.node}`,
    `Load before: ${machine.loadBefore.toFixed(1)}`,
    '',
    'One API, one worker, the development server of Temporal and Postgres. Each conversation has a reader and sends its next',
    'message when the turn before has ended. A turn: 4 model calls of 0.2 to 2 s over HTTP, 3 tool calls. Processor time without',
    'the model and the clients, which run on the same cores.',
    '',
    toTable(
      [
        ...['row', 'turns/s', 'CPU-ms a turn', ...parts, 'busy', 'to model p50 ms', 'p99'],
        ...['first piece p50 ms', 'p99', 'later p50 ms', 'p99', 'commits', 'KB of log', 'not whole'],
      ],
      load.map(toLine),
    ),
  ].join('\n');
}

function toLine(one: LoadFigures): string[] {
  const { first, later } = one.piecesMs;
  const processor = parts.map((name) => one.processorMs[name] ?? NaN);
  const whole = (ms: number) => ms.toFixed(0);
  return [
    `${one.execution}, ${one.inFlight} at once, ${one.pieces} pieces`,
    one.turnsPerSecond.toFixed(1),
    ...[processor.reduce((sum, each) => sum + each, 0), ...processor].map(whole),
    `${(100 * one.busyShare).toFixed(0)} %`,
    ...[one.toModelMs.p50, one.toModelMs.p99, first.p50, first.p99, later.p50, later.p99].map(whole),
    ...[one.stored.holdfastCommits, one.stored.walBytes / 1000].map(whole),
    String(one.notCompleted),
  ];
}
