import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { ExecutionMode } from '../../src/domain/agent.ts';
import type { Config } from '../../src/main/config.ts';
import type { Say } from '../../src/main/dev/say.ts';
import { describeMachine, type Machine } from '../machine.ts';
import type { ScalePart } from '../options.ts';
import type { LimitTable } from './limits/experiment.ts';
import { measureLimits } from './limits/measure-limits.ts';
import { measureShards } from './limits/shards.ts';
import { measureLoad, runLoad, type LoadFigures } from './measure-load.ts';
import { startScaleStage, type ScaleStageOptions } from './scale-stage.ts';

/** The figures of one run of the scale measurement. */
export interface ScaleFigures {
  startedAt: string;
  machine: Machine;
  load: LoadFigures[];
  limits: LimitTable[];
}

interface RunScaleOptions {
  config: Config;
  parts: readonly ScalePart[];
  say: Say;
  /** Aborted to stop everything. */
  signal: AbortSignal;
}

const executions: readonly ExecutionMode[] = ['fast', 'inspectable'];
const loads = { inFlight: [50, 200], rampMs: 5_000, durationMs: 15_000 };
const limitDurationMs = 2_000;
const shardDurationMs = 5_000;

/** Measures an installation of many programs under load, and what many workers have to share. */
export async function runScale({ config, parts, say, signal }: RunScaleOptions): Promise<ScaleFigures> {
  const { cacheDir, dataDir, environment, temporalCli } = config;
  const startedAt = new Date().toISOString();
  const machine = describeMachine();
  const run = async <Result>(measure: (options: ScaleStageOptions) => Promise<Result>) => {
    await using stack = new AsyncDisposableStack();
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const folder = mkdtempSync(path.join(dataDir, 'bench-'));
    stack.defer(() => rmSync(folder, { recursive: true, force: true }));
    return await measure({ folder, cacheDir, temporalCli, environment, say, signal, stack });
  };
  const load = parts.includes('load') ? await run(measureLoads) : [];
  const limits = parts.includes('limits')
    ? await run((options) => measureLimits(options, limitDurationMs))
    : [];
  const shards = parts.includes('shards')
    ? await run((options) => measureShards(options, shardDurationMs))
    : null;
  return { startedAt, machine, load, limits: shards === null ? limits : [...limits, shards] };
}

async function measureLoads(options: ScaleStageOptions): Promise<LoadFigures[]> {
  const { say } = options;
  say('starting Postgres, temporal-server, 2 APIs, 4 workers, a model and a load (usually 40 seconds) …');
  const stage = await startScaleStage(options);
  if (stage === null) return [];
  const { rampMs, durationMs } = loads;
  const figures: LoadFigures[] = [];
  // The first turns of a program are slower, since its code is compiled then.
  for (const execution of executions) {
    await runLoad(stage, { execution, inFlight: 20, durationMs: 5_000 });
  }
  for (const execution of executions) {
    for (const inFlight of loads.inFlight) {
      say(`  ${inFlight} turns in flight, ${execution}`);
      figures.push(await measureLoad(stage, { execution, inFlight, rampMs, durationMs }));
    }
  }
  return figures;
}
