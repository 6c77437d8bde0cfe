import { median, quantile } from '../statistics.ts';
import { toTable } from '../table.ts';
import type { ProcedureFigures, RoutineFigures } from './run-routines.ts';

/** The most that a routine may take, as a multiple of the bare workflow with as many activities as it has steps. */
const mostTimes = 1.5;

const programs = ['worker', 'temporal', 'postgres'] as const;

/** Returns the report as text with tables. */
export function toRoutinesReport({ startedAt, machine, rows }: RoutineFigures): string {
  return [
    `Routines beside bare workflows, ${startedAt}`,
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.system}, Node ${machine.node}`,
    `Load before: ${machine.loadBefore.toFixed(1)}`,
    'A floor is a bare workflow of so many activities, one after the other, which do nothing and answer 1 KB. A call is one',
    'of a read-only tool that does as little; it is recorded, claimed and stored, with its audit. Everything on this machine.',
    '',
    toTable(
      ['', 'runs', 'median ms', 'p95 ms', 'runs/s at 8', 'history bytes', 'events'],
      rows.map(({ name, latenciesMs, perSecond, history }) => [
        name,
        String(latenciesMs.length),
        median(latenciesMs).toFixed(0),
        quantile(latenciesMs, 0.95).toFixed(0),
        perSecond.toFixed(2),
        String(history.bytes),
        String(history.events),
      ]),
    ),
    '',
    'Processor milliseconds for a run (8 in flight)',
    toTable(['', ...programs], rows.map(toProcessorLine)),
    '',
    'Times the floor',
    toTable(
      ['', 'latency', 'runs/s at 8', ''],
      rows.flatMap((row) => toRatioLines(row, rows)),
    ),
  ].join('\n');
}

function toProcessorLine({ name, processorSeconds }: ProcedureFigures): string[] {
  return [name, ...programs.map((program) => ((processorSeconds[program] ?? NaN) * 1000).toFixed(0))];
}

function toRatioLines(row: ProcedureFigures, rows: ProcedureFigures[]): string[][] {
  return row.floors.flatMap((name) => {
    const floor = rows.find((other) => other.name === name);
    if (!floor) return [];
    const latency = median(row.latenciesMs) / median(floor.latenciesMs);
    const rate = floor.perSecond / row.perSecond;
    const isMet = latency <= mostTimes && rate <= mostTimes;
    return [[`${row.name} / ${name}`, latency.toFixed(2), rate.toFixed(2), isMet ? 'PASS' : 'FAIL']];
  });
}
