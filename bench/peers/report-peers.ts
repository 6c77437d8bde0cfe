import { toTable } from '../table.ts';
import { peerRows } from './catalogue.ts';
import type { PeerFigures } from './measure-peer.ts';
import { engines, promises } from './promises.ts';
import type { PeersFigures } from './run-peers.ts';

const processNames = ['program', 'engine', 'postgres', 'api'] as const;

/** Returns the comparison as text with tables. */
export function toPeersReport({ machine, rows, problems, quick, startedAt }: PeersFigures): string {
  return [
    `Holdfast beside other engines${quick ? ' (quick)' : ''}, ${startedAt}`,
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.system}, Node ${machine.node}`,
    `Load before: ${machine.loadBefore.toFixed(1)}`,
    'A turn: 4 model answers and 3 tool calls that do nothing, texts of 1 KB, each step durable before the next;',
    'client, worker and tools in one process except where the name says HTTP; a new server and database for each row.',
    ...(rows.length === 0 ? [] : toFigures(rows)),
    '',
    'What each stores and promises (the notes are in docs/benchmarks.md)',
    toTable(['', ...engines], promises),
    ...problems.map((problem) => `\nFAILED: ${problem}`),
  ].join('\n');
}

function toFigures(rows: PeerFigures[]): string[] {
  return [
    '',
    toSpeedTable(rows),
    '* keeps no conversation: a turn does not read the earlier ones',
    '',
    'Processor seconds for 1000 turns (8 and 32 in flight), and the most memory in MiB',
    toProcessTable(rows),
    '',
    'Postgres for each turn, one at a time (other stores of an engine are not in it)',
    toPostgresTable(rows),
  ];
}

function toSpeedTable(rows: PeerFigures[]): string {
  const flights = Object.keys(rows[0]?.turnsPerSecond ?? {});
  const positions = [...new Set(rows.flatMap(({ growthMs }) => Object.keys(growthMs)))];
  const header = [
    'row',
    'median ms',
    'p95 ms',
    ...flights.map((inFlight) => `turns/s at ${inFlight}`),
    ...positions.map((position) => `ms at turn ${position}`),
  ];
  const lines = rows.map(({ row, medianMs, p95Ms, turnsPerSecond, growthMs }) => [
    row,
    ...[medianMs, p95Ms].map((value) => toNumber(value)),
    ...flights.map((inFlight) => toNumber(turnsPerSecond[inFlight])),
    ...positions.map((position) => toNumber(growthMs[position]) + toMark(row)),
  ]);
  return toTable(header, lines);
}

function toMark(name: string): string {
  return peerRows.some((row) => row.name === name && !row.keepsConversations) ? '*' : '';
}

function toProcessTable(rows: PeerFigures[]): string {
  const header = [
    'row',
    ...processNames.map((name) => `${name} s`),
    'together s',
    ...processNames.map((name) => `${name} MiB`),
    'together MiB',
  ];
  const lines = rows.map(({ row, processorSeconds, memoryMiB }) => [
    row,
    ...toCells(processorSeconds, 1),
    ...toCells(memoryMiB, 0),
  ]);
  return toTable(header, lines);
}

/** Returns the value of each process, and their sum. */
function toCells(values: Record<string, number>, digits: number): string[] {
  const sum = Object.values(values).reduce((total, value) => total + value, 0);
  return [...processNames.map((name) => values[name]), sum].map((value) => toNumber(value, digits));
}

function toPostgresTable(rows: PeerFigures[]): string {
  const lines = rows.map(({ row, perTurn }) => [
    row,
    toNumber(perTurn?.commits),
    toNumber(perTurn?.flushes),
    toNumber(perTurn && perTurn.walBytes / 1024),
  ]);
  return toTable(['row', 'commits', 'flushes', 'WAL KiB'], lines);
}

function toNumber(value: number | null | undefined, digits = 1): string {
  return value === undefined || value === null ? '-' : value.toFixed(digits);
}
