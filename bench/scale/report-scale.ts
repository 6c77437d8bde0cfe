import { toTable } from '../table.ts';
import type { LoadFigures } from './measure-load.ts';
import type { ScaleFigures } from './run-scale.ts';

const groupNames = ['api', 'worker', 'temporal', 'postgres'] as const;
const mebibyte = 1024 ** 2;

/** Returns the report as text with tables. */
export function toScaleReport({ startedAt, machine, load, worker }: ScaleFigures): string {
  return [
    `Holdfast at scale, ${startedAt}`,
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.system}, Node ${machine.node}`,
    `Load before: ${machine.loadBefore.toFixed(1)}`,
    ...(load.length === 0 ? [] : toLoadReport(load, cluster)),
    ...(worker.length === 0 ? [] : toLoadReport(worker, oneWorker)),
  ].join('\n');
}

const cluster = '2 APIs, 4 workers, temporal-server with 4 shards and Postgres on this one machine';
const oneWorker = 'One API, one worker, the development server of Temporal and Postgres on this one machine';

function toLoadReport(load: LoadFigures[], installation: string): string[] {
  const pieces = [...new Set(load.map((one) => one.pieces))].filter((count) => count > 1).join(' or ');
  return [
    '',
    `${installation}. Each conversation sends its next`,
    'message when the turn before has ended, and a client reads its event stream. A turn: 4 model calls of 0.2 to 2 s,',
    `which stream in ${pieces} pieces over HTTP, and 3 tool calls. The model and the clients run on the same cores, and are counted apart.`,
    '',
    toTable(
      [
        ...['row', 'turns/s', 'turns/s for each core', 'to model p50 ms', 'p95', 'p99'],
        ...['to accepted p50 ms', 'p99', 'not completed'],
      ],
      load.map((one) => [
        toName(one),
        one.turnsPerSecond.toFixed(1),
        (1000 / sumOf(one)).toFixed(1),
        ...[one.toModelMs.p50, one.toModelMs.p95, one.toModelMs.p99].map((ms) => ms.toFixed(0)),
        ...[one.toAcceptedMs.p50, one.toAcceptedMs.p99].map((ms) => ms.toFixed(0)),
        String(one.notCompleted),
      ]),
    ),
    '',
    'Processor milliseconds for a turn; "outside" is the model and the clients',
    toTable(
      ['row', ...groupNames, 'together', 'outside'],
      load.map((one) => [
        toName(one),
        ...groupNames.map((name) => (one.processorMs[name] ?? NaN).toFixed(1)),
        sumOf(one).toFixed(1),
        (one.processorMs['outside'] ?? NaN).toFixed(1),
      ]),
    ),
    '',
    'What a turn leaves behind, in Postgres',
    toTable(
      ['row', 'commits of Holdfast', 'of Temporal', 'KB of WAL', 'KB of Holdfast', 'KB of Temporal'],
      load.map((one) => [toName(one), ...toStoredCells(one.stored)]),
    ),
    '',
    'Memory of the workers after a garbage collection, and connections to Postgres',
    toTable(
      ['row', 'resident MiB', 'heap MiB', 'resident KB a turn', 'heap KB a turn', ...groupNames.slice(0, 3)],
      load.map((one) => [
        toName(one),
        ...[one.memory.resident, one.memory.heap].map((bytes) => (bytes / mebibyte).toFixed(0)),
        ...[one.memory.residentEach, one.memory.heapEach].map((bytes) => (bytes / 1000).toFixed(0)),
        ...groupNames.slice(0, 3).map((name) => String(one.connections[name] ?? 0)),
      ]),
    ),
  ];
}

function toName({ row, inFlight, pieces }: Pick<LoadFigures, 'row' | 'inFlight' | 'pieces'>): string {
  return `${row}, ${inFlight} in flight${pieces === 1 ? ', not streamed' : ''}`;
}

function toStoredCells(stored: LoadFigures['stored']): string[] {
  if (stored === null) return [];
  const { holdfastCommits, temporalCommits, walBytes, holdfastBytes, temporalBytes } = stored;
  const kilobytes = [walBytes, holdfastBytes, temporalBytes].map((bytes) => bytes / 1000);
  return [holdfastCommits, temporalCommits, ...kilobytes].map((each) => each.toFixed(1));
}

/** The processor milliseconds of a turn without the model and the clients. */
function sumOf({ processorMs }: LoadFigures): number {
  return groupNames.reduce((sum, name) => sum + (processorMs[name] ?? NaN), 0);
}
