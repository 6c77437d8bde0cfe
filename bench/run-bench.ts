import type { EngineName } from './engines/engine.ts';
import { describeMachine } from './machine.ts';
import { measureGrowth } from './measure/measure-growth.ts';
import { measureMemory } from './measure/measure-memory.ts';
import { measureRows } from './measure/measure-rows.ts';
import type { BenchOptions } from './options.ts';
import { openPlace, type PlaceOptions } from './place.ts';
import { fullPlan, quickPlan } from './plan.ts';
import type { BenchFigures, EngineFigures } from './figures.ts';
import { setStage } from './stage.ts';

interface RunBenchOptions extends PlaceOptions {
  options: BenchOptions;
}

/**
 * Runs the measurements that the options select. All programs that it starts have ended when it returns or throws.
 * An engine that fails is listed among the problems.
 */
export async function runBench(run: RunBenchOptions): Promise<BenchFigures> {
  const startedAt = new Date().toISOString();
  const machine = describeMachine();
  const engines: EngineFigures[] = [];
  const problems: string[] = [];
  for (const engine of run.options.engines) {
    try {
      const figures = await measureEngine(run, engine);
      if (figures !== null) engines.push(figures);
    } catch (error) {
      // The figures of other engines are kept.
      if (run.signal.aborted) throw error;
      problems.push(`${engine}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { startedAt, quick: run.options.quick, machine, engines, problems };
}

async function measureEngine(run: RunBenchOptions, engine: EngineName): Promise<EngineFigures | null> {
  const { options, say } = run;
  const plan = options.quick ? quickPlan : fullPlan;
  await using stack = new AsyncDisposableStack();
  say(`${engine}: starting Postgres, Temporal, the API, the workers and a client (usually 20 seconds) …`);
  const stage = await setStage(openPlace(run, stack), { engine, profile: options.profile });
  if (stage === null) return null;
  // Only the rows depend on the engine; the rest is measured once, or on every engine when there is time.
  const isFirst = engine === options.engines[0];
  const memory = isFirst ? await measureMemory(stage, plan.memory, say) : null;
  const rows = await measureRows(stage, plan, say);
  const growth = isFirst || !options.quick ? await measureGrowth(stage, plan.growth, say) : [];
  return { engine, rows, growth, memory };
}
