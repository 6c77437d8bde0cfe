import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../src/main/config.ts';
import type { Say } from '../src/main/dev/say.ts';
import type { EngineName } from './engines/engine.ts';
import { describeMachine } from './machine.ts';
import { measureGrowth } from './measure/measure-growth.ts';
import { measureMemory } from './measure/measure-memory.ts';
import { measureRows } from './measure/measure-rows.ts';
import type { BenchOptions } from './options.ts';
import { fullPlan, quickPlan } from './plan.ts';
import type { BenchFigures, EngineFigures } from './figures.ts';
import { setStage } from './stage.ts';

interface RunBenchOptions {
  options: BenchOptions;
  config: Config;
  say: Say;
  /** Aborted to stop everything. */
  signal: AbortSignal;
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
  const { options, config, say, signal } = run;
  const plan = options.quick ? quickPlan : fullPlan;
  const { cacheDir, temporalCli, environment } = config;
  await using stack = new AsyncDisposableStack();
  const folder = makeFolder(config.dataDir);
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  say(`${engine}: starting Postgres, Temporal, the API, the workers and a client (usually 20 seconds) …`);
  const { profile } = options;
  const stage = await setStage({
    engine,
    folder,
    cacheDir,
    temporalCli,
    environment,
    say,
    signal,
    profile,
    stack,
  });
  if (stage === null) return null;
  // Only the rows depend on the engine; the rest is measured once, or on every engine when there is time.
  const isFirst = engine === options.engines[0];
  const memory = isFirst ? await measureMemory(stage, plan.memory, say) : null;
  const rows = await measureRows(stage, plan, say);
  const growth = isFirst || !options.quick ? await measureGrowth(stage, plan.growth, say) : [];
  return { engine, rows, growth, memory };
}

function makeFolder(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return mkdtempSync(path.join(dataDir, 'bench-'));
}
