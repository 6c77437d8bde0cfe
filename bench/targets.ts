import type { EngineFigures } from './figures.ts';
import type { RowFigures } from './measure/measure-row.ts';
import type { ProcessorTimes } from './measure/processor-time.ts';
import { rows } from './rows.ts';

/** A figure that is compared with the most that it may be. */
export interface TargetCheck {
  target: string;
  limit: number;
  measured: number;
  /** The digits after the point when it is printed. */
  digits: number;
}

/** The most that a row may cost, as a multiple of its floor. */
const limits = { direct: 1.5, inspectable: 1.25 };

/** Returns the ratios of a row to its baseline row: above 1 it costs more. Empty for a row without one. */
export function toRatios(one: RowFigures, figures: RowFigures[]): number[] {
  const floorName = rows.find(({ name }) => name === one.row)?.floor;
  const floor = figures.find((other) => other.row === floorName);
  if (!floor) return [];
  const rates = Object.entries(one.turnsPerSecond);
  return [
    one.medianMs / floor.medianMs,
    ...rates.map(([inFlight, rate]) => (floor.turnsPerSecond[inFlight] ?? NaN) / rate),
  ];
}

/** Adds up the processor time of all processes. */
export function sumProcessorTime(times: ProcessorTimes): number {
  return Object.values(times).reduce((sum, time) => sum + time, 0);
}

/** Compares the figures of one engine with the targets. Targets whose rows were not measured are left out. */
export function checkTargets({ rows: figures, memory }: EngineFigures): TargetCheck[] {
  const find = (name: string) => figures.find(({ row }) => row === name);
  const [direct, overHttp, inspectable] = ['direct', 'direct, over HTTP', 'inspectable'].map(find);
  return [
    ...(direct ? [...checkRatios(direct, figures), ...checkDirect(direct)] : []),
    ...(direct && overHttp ? checkHttp(direct, overHttp) : []),
    ...(inspectable ? checkRatios(inspectable, figures) : []),
    ...(memory
      ? [{ target: 'resident memory of the worker, MiB', limit: 400, measured: memory.largestMiB, digits: 0 }]
      : []),
  ];
}

function checkRatios(one: RowFigures, figures: RowFigures[]): TargetCheck[] {
  const limit = one.row === 'direct' ? limits.direct : limits.inspectable;
  const [latency = NaN, ...rates] = toRatios(one, figures);
  const flights = Object.keys(one.turnsPerSecond);
  return [
    { target: `${one.row}: latency / floor`, limit, measured: latency, digits: 2 },
    ...rates.map((measured, index) => ({
      target: `${one.row}: floor / turns/s at ${flights[index]}`,
      ...{ limit, measured, digits: 2 },
    })),
  ];
}

function checkDirect({ row, processorSeconds, toFirstStepMs }: RowFigures): TargetCheck[] {
  const together = sumProcessorTime(processorSeconds);
  return [
    {
      target: `${row}: CPU-ms of worker with submitting program, Temporal and Postgres`,
      ...{ limit: 28, measured: together, digits: 1 },
    },
    { target: `${row}: ms from accepted to model called`, limit: 10, measured: toFirstStepMs, digits: 1 },
  ];
}

function checkHttp(direct: RowFigures, overHttp: RowFigures): TargetCheck[] {
  const more = overHttp.medianMs - direct.medianMs;
  const moreTime = sumProcessorTime(overHttp.processorSeconds) - sumProcessorTime(direct.processorSeconds);
  return [
    { target: `${overHttp.row}: ms more than direct`, limit: 8, measured: more, digits: 1 },
    {
      target: `${overHttp.row}: CPU-ms more than direct, client included`,
      limit: 6,
      measured: moreTime,
      digits: 1,
    },
  ];
}
