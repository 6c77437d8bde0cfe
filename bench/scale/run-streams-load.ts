import { executionModes } from '../../src/domain/agent.ts';
import { describeMachine, type Machine } from '../machine.ts';
import { openPlace, type PlaceOptions } from '../place.ts';
import type { LoadFigures, LoadPlan } from './measure-load.ts';
import { measureLoads } from './run-scale.ts';

/** The figures of one run under the load of streaming answers. */
export interface StreamsLoadFigures {
  startedAt: string;
  machine: Machine;
  load: LoadFigures[];
}

interface RunStreamsLoadOptions extends PlaceOptions {
  /** Measures one load with few repetitions. */
  quick: boolean;
}

/** More conversations make turns longer, and their first turns begin at one moment, so that the ramp is longer too. */
const loads: readonly Omit<LoadPlan, 'execution'>[] = [
  { inFlight: 1, pieces: 50, rampMs: 5_000, durationMs: 30_000 },
  { inFlight: 10, pieces: 50, rampMs: 8_000, durationMs: 25_000 },
  { inFlight: 50, pieces: 50, rampMs: 10_000, durationMs: 25_000 },
  { inFlight: 50, pieces: 150, rampMs: 10_000, durationMs: 25_000 },
  { inFlight: 200, pieces: 50, rampMs: 25_000, durationMs: 30_000 },
];
const quickLoads: readonly Omit<LoadPlan, 'execution'>[] = [
  { inFlight: 10, pieces: 50, rampMs: 6_000, durationMs: 15_000 },
  { inFlight: 50, pieces: 50, rampMs: 8_000, durationMs: 20_000 },
];

/** Measures one API and one worker while the answers of many turns stream to readers, in both modes side by side. */
export async function runStreamsLoad({
  quick,
  ...shared
}: RunStreamsLoadOptions): Promise<StreamsLoadFigures> {
  const startedAt = new Date().toISOString();
  const machine = describeMachine();
  await using stack = new AsyncDisposableStack();
  const plans = (quick ? quickLoads : loads).flatMap((plan) =>
    executionModes.map((execution) => ({ ...plan, execution })),
  );
  const load = await measureLoads(openPlace(shared, stack), 'dev-server', plans);
  return { startedAt, machine, load };
}
