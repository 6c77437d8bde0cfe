import type { EngineName } from './engines/engine.ts';
import type { Machine } from './machine.ts';
import type { GrowthFigures } from './measure/measure-growth.ts';
import type { MemoryFigures } from './measure/measure-memory.ts';
import type { RowFigures } from './measure/measure-row.ts';

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
