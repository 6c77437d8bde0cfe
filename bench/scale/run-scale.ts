import { executionModes, type ExecutionMode } from '../../src/domain/agent.ts';
import { describeMachine, type Machine } from '../machine.ts';
import type { ScalePart } from '../options.ts';
import type { EngineName } from '../engines/engine.ts';
import { openPlace, type Place, type PlaceOptions } from '../place.ts';
import { measureLoad, runLoad, type LoadFigures, type LoadPlan } from './measure-load.ts';
import { installations, startScaleStage, toTarget, warmUp } from './scale-stage.ts';

/** The figures of one run of the scale measurement. */
export interface ScaleFigures {
  startedAt: string;
  machine: Machine;
  load: LoadFigures[];
  /** One API and one worker under load. */
  worker: LoadFigures[];
}

interface RunScaleOptions extends PlaceOptions {
  parts: readonly ScalePart[];
}

/** The load of one mode. */
interface ModePlan extends LoadPlan {
  execution: ExecutionMode;
}

/** A few conversations leave cores idle, many keep them all busy; then a turn takes long, and so does a measurement. */
const loads: readonly ModePlan[] = [
  { execution: 'direct', inFlight: 20, pieces: 1, rampMs: 5_000, durationMs: 12_000 },
  { execution: 'direct', inFlight: 20, pieces: 8, rampMs: 5_000, durationMs: 12_000 },
  { execution: 'direct', inFlight: 200, pieces: 8, rampMs: 25_000, durationMs: 25_000 },
  { execution: 'inspectable', inFlight: 10, pieces: 8, rampMs: 5_000, durationMs: 12_000 },
  { execution: 'inspectable', inFlight: 50, pieces: 8, rampMs: 12_000, durationMs: 12_000 },
];
/** The loads of one worker: the last keeps more turns than it has slots for workflow tasks. */
const workerLoads: readonly ModePlan[] = [10, 50, 100].flatMap((inFlight) =>
  executionModes.map((execution) => ({ execution, inFlight, pieces: 50, rampMs: 8_000, durationMs: 20_000 })),
);

/** Measures an installation of many programs under load, and one API and one worker. */
export async function runScale({ parts, ...shared }: RunScaleOptions): Promise<ScaleFigures> {
  const startedAt = new Date().toISOString();
  const machine = describeMachine();
  const run = async <Result>(measure: (place: Place) => Promise<Result>) => {
    await using stack = new AsyncDisposableStack();
    return await measure(openPlace(shared, stack));
  };
  const load = parts.includes('load') ? await run((place) => measureLoads(place, 'cluster', loads)) : [];
  const worker = parts.includes('worker')
    ? await run((place) => measureLoads(place, 'dev-server', workerLoads))
    : [];
  return { startedAt, machine, load, worker };
}

/** Measures an installation under some loads, one after the other; nothing without a Temporal server. */
async function measureLoads(
  place: Place,
  engine: EngineName,
  plans: readonly ModePlan[],
): Promise<LoadFigures[]> {
  const { say } = place;
  const installation = installations[engine];
  const { apis, workers } = installation;
  say(`starting Postgres, Temporal, ${apis} API, ${workers} worker, a model and a load (up to 40 seconds) …`);
  const stage = await startScaleStage(place, installation);
  if (stage === null) return [];
  const figures: LoadFigures[] = [];
  // The first turns of a program are slower, since its code is compiled then.
  for (const execution of new Set(plans.map((plan) => plan.execution))) {
    await runLoad(toTarget(stage, execution), warmUp);
  }
  for (const plan of plans) {
    say(`  ${plan.inFlight} turns in flight, ${plan.execution}`);
    figures.push(await measureLoad(toTarget(stage, plan.execution), plan));
  }
  return figures;
}
