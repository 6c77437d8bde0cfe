import type { EngineName } from './engines/engine.ts';
import type { Machine } from './machine.ts';
import { checkGrowth, type GrowthFigures } from './measure/measure-growth.ts';
import type { MemoryFigures } from './measure/measure-memory.ts';
import type { RowFigures } from './measure/measure-row.ts';
import { findFloor, rows } from './rows.ts';
import { toTable } from './table.ts';

/** The figures of one engine. */
export interface EngineFigures {
  engine: EngineName;
  rows: RowFigures[];
  growth: GrowthFigures[];
  memory: MemoryFigures | null;
}

/** The figures of one run of the benchmark. */
export interface BenchFigures {
  startedAt: string;
  quick: boolean;
  machine: Machine;
  engines: EngineFigures[];
  /** The engines that could not be measured, with the reasons. */
  problems: string[];
}

const engineTitles: Record<EngineName, string> = {
  'dev-server': 'Temporal dev server (file database), Holdfast on Postgres',
  cluster: 'temporal-server with Postgres persistence, Holdfast on the same Postgres',
};

const target = 1.25;
const processNames = ['worker', 'temporal', 'postgres', 'api', 'client'] as const;

/** Returns the report as text with tables. */
export function toReport({ machine, engines, problems, quick, startedAt }: BenchFigures): string {
  return [
    `Holdfast benchmark${quick ? ' (quick)' : ''}, ${startedAt}`,
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.system}, Node ${machine.node}`,
    `Load before: ${machine.loadBefore.toFixed(1)}${isBusy(machine) ? ' - the machine is busy with something else, the figures are not to be trusted' : ''}`,
    'A turn: 4 model calls and 3 read-only tool calls that do nothing, messages of 1 KB; everything on this one machine.',
    ...engines.flatMap(toEngineReport),
    ...problems.map((problem) => `\nFAILED: ${problem}`),
  ].join('\n');
}

function isBusy({ loadBefore, cores }: Machine): boolean {
  return loadBefore > cores / 4;
}

function toEngineReport({ engine, rows: figures, growth, memory }: EngineFigures): string[] {
  return [
    '',
    `== ${engineTitles[engine]}`,
    '',
    toRowsTable(figures),
    '',
    'Processor seconds for 1000 turns (8 and 32 in flight)',
    toProcessorTable(figures),
    ...(growth.length === 0
      ? []
      : ['', 'The same turn early and late in a conversation', ...toGrowthLines(growth)]),
    ...(memory === null ? [] : ['', ...toMemoryLines(memory)]),
  ];
}

function toRowsTable(figures: RowFigures[]): string {
  const flights = Object.keys(figures[0]?.turnsPerSecond ?? {});
  const header = [
    'row',
    'median ms',
    'p95 ms',
    ...flights.map((inFlight) => `turns/s at ${inFlight}`),
    'to model ms',
    'history bytes',
    'events',
    'latency / floor',
    ...flights.map((inFlight) => `floor / turns/s at ${inFlight}`),
  ];
  const lines = figures.map((one) => [
    one.row,
    one.medianMs.toFixed(1),
    one.p95Ms.toFixed(1),
    ...flights.map((inFlight) => one.turnsPerSecond[inFlight]?.toFixed(1) ?? '-'),
    one.toFirstStepMs.toFixed(1),
    one.historyBytes.toFixed(0),
    one.historyEvents.toFixed(0),
    ...toRatios(one, figures).map(toRatio),
  ]);
  return toTable(header, lines);
}

/** Returns the ratios of a row to its baseline row: above 1 it costs more. Empty for a baseline row. */
export function toRatios(one: RowFigures, figures: RowFigures[]): number[] {
  const row = rows.find(({ name }) => name === one.row);
  const floorName = row && findFloor(row)?.name;
  const floor = figures.find((other) => other.row === floorName);
  if (!floor) return [];
  const rates = Object.entries(one.turnsPerSecond);
  return [
    one.medianMs / floor.medianMs,
    ...rates.map(([inFlight, rate]) => (floor.turnsPerSecond[inFlight] ?? NaN) / rate),
  ];
}

function toRatio(ratio: number): string {
  return `${ratio.toFixed(2)}x ${ratio <= target ? 'ok' : 'OVER'}`;
}

function toProcessorTable(figures: RowFigures[]): string {
  const measured = figures.filter(({ processorSeconds }) => Object.keys(processorSeconds).length > 0);
  const lines = measured.map(({ row, processorSeconds }) => {
    const all = processNames.map((name) => processorSeconds[name] ?? NaN);
    const total = all.reduce((sum, seconds) => sum + seconds, 0);
    return [row, ...[...all, total].map((seconds) => seconds.toFixed(1))];
  });
  return toTable(['row', ...processNames, 'together'], lines);
}

function toGrowthLines(growth: GrowthFigures[]): string[] {
  const lines = growth.map(({ row, position, medianMs, p95Ms, historyBytes, historyEvents }) => [
    `${row}, turn ${position}`,
    medianMs.toFixed(1),
    p95Ms.toFixed(1),
    historyBytes.toFixed(0),
    historyEvents.toFixed(0),
  ]);
  return [
    toTable(['row', 'median ms', 'p95 ms', 'history bytes', 'events'], lines),
    ...checkGrowth(growth).map(
      ({ row, passed, sizes }) =>
        `${passed ? 'PASS' : 'FAIL'}: the history of ${row} is the same size within 5 % (${sizes.join(', ')} bytes)`,
    ),
  ];
}

function toMemoryLines({ samples, growthMiB, flat }: MemoryFigures): string[] {
  const lines = samples.map(({ turns, residentMiB, heapMiB }) => [
    String(turns),
    residentMiB.toFixed(1),
    heapMiB.toFixed(1),
  ]);
  const growth = `${growthMiB.resident.toFixed(2)} MiB resident, ${growthMiB.heap.toFixed(2)} MiB heap`;
  return [
    'Memory of the worker, half of the turns inspectable and half fast',
    toTable(['turns', 'resident MiB', 'heap MiB'], lines),
    `${flat ? 'PASS' : 'FAIL'}: flat; grows by ${growth} with 1000 turns after the first fifth`,
  ];
}
