import type { EngineName } from './engines/engine.ts';
import type { Machine } from './machine.ts';
import type { BenchFigures, EngineFigures } from './figures.ts';
import { checkGrowth, type GrowthFigures } from './measure/measure-growth.ts';
import { toMemoryReport } from './measure/report-memory.ts';
import type { RowFigures } from './measure/measure-row.ts';
import { toTable } from './table.ts';
import { checkTargets, sumProcessorTime, toRatios } from './targets.ts';

const engineTitles: Record<EngineName, string> = {
  'dev-server': 'Temporal dev server (file database), Holdfast on Postgres',
  cluster: 'temporal-server with Postgres persistence, Holdfast on the same Postgres',
};

const processNames = ['worker', 'temporal', 'postgres', 'api', 'client'] as const;

/** Returns the report as text with tables. */
export function toReport({ machine, engines, problems, quick, startedAt }: BenchFigures): string {
  return [
    `Holdfast benchmark${quick ? ' (quick)' : ''}, ${startedAt}`,
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.system}, Node ${machine.node}`,
    `Load before: ${machine.loadBefore.toFixed(1)}${isBusy(machine) ? ' - the machine is busy with something else, the figures are not to be trusted' : ''}`,
    'A turn: 4 model calls and 3 read-only tool calls that do nothing, messages of 1 KB; everything on this one machine.',
    'Floor of inspectable: a workflow of 7 activities that do nothing.',
    'Floor of direct: a workflow of one local activity that inserts 7 rows of 1 KB, each a commit on disk.',
    "Turns are submitted from the worker's own process with an eager start; 'client apart' and 'in a workflow' from a process of",
    "its own, and 'over HTTP' through the API, all without it.",
    ...engines.flatMap(toEngineReport),
    ...problems.map((problem) => `\nFAILED: ${problem}`),
  ].join('\n');
}

function isBusy({ loadBefore, cores }: Machine): boolean {
  return loadBefore > cores / 4;
}

function toEngineReport(all: EngineFigures): string[] {
  const { engine, rows: figures, growth, memory } = all;
  return [
    '',
    `== ${engineTitles[engine]}`,
    '',
    toRowsTable(figures),
    '',
    'Processor milliseconds for a turn (8 and 32 in flight)',
    toProcessorTable(figures),
    ...(growth.length === 0
      ? []
      : ['', 'The same turn early and late in a conversation', ...toGrowthLines(growth)]),
    ...(memory === null
      ? []
      : [
          '',
          ...toMemoryReport(
            'Memory of the worker, half of the turns inspectable and half direct, all in workflows',
            memory,
          ),
        ]),
    '',
    'Targets',
    toTargetsTable(all),
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
    ...toRatios(one, figures).map((ratio) => `${ratio.toFixed(2)}x`),
  ]);
  return toTable(header, lines);
}

function toProcessorTable(figures: RowFigures[]): string {
  const measured = figures.filter(({ processorSeconds }) => Object.keys(processorSeconds).length > 0);
  const lines = measured.map(({ row, processorSeconds }) => {
    const all = processNames.map((name) => processorSeconds[name] ?? NaN);
    return [row, ...[...all, sumProcessorTime(processorSeconds)].map((seconds) => seconds.toFixed(1))];
  });
  return toTable(['row', ...processNames, 'together'], lines);
}

function toTargetsTable(figures: EngineFigures): string {
  const lines = checkTargets(figures).map(({ target, limit, measured, digits }) => [
    target,
    `<= ${limit.toFixed(digits)}`,
    measured.toFixed(digits),
    measured <= limit ? 'PASS' : 'FAIL',
  ]);
  return toTable(['target', 'limit', 'measured', ''], lines);
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
