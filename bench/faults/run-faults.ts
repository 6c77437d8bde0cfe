import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { executionModes, type ExecutionMode } from '../../src/domain/agent.ts';
import type { Config } from '../../src/main/config.ts';
import type { Say } from '../../src/main/dev/say.ts';
import { mountSmallDisk, type FullDisk } from './full-disk.ts';
import { startLoad } from './load.ts';
import { injectFullDisk, type Scenario } from './scenarios.ts';
import { judge, type Verdict } from './verdict.ts';
import { startWorld, type World } from './world.ts';

/** The verdicts of one scenario, or the reason why it did not run. */
export type ScenarioResult = { scenario: Scenario } & (
  { verdicts: Record<ExecutionMode, Verdict> } | { skipped: string }
);

interface RunOptions {
  scenarios: readonly Scenario[];
  config: Config;
  say: Say;
  signal: AbortSignal;
}

/** Runs scenarios one after the other. All programs that it starts have ended when it returns or throws. */
export async function runFaults({ scenarios, ...options }: RunOptions): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  const usual = scenarios.filter(({ needsSmallDisk }) => !needsSmallDisk);
  if (usual.length > 0) {
    await inFolder(options.config, async (folder) => {
      await using stack = new AsyncDisposableStack();
      const world = await openWorld(options, folder, folder);
      stack.defer(world.close);
      for (const scenario of usual) {
        results.push(await runScenario(options, world, { scenario, inject: scenario.inject }));
      }
    });
  }
  for (const scenario of scenarios.filter(({ needsSmallDisk }) => needsSmallDisk)) {
    results.push(await runOnSmallDisk(options, scenario));
  }
  return results;
}

type WorldOptions = Omit<RunOptions, 'scenarios'>;

function openWorld(
  { config, say, signal }: WorldOptions,
  folder: string,
  postgresFolder: string,
): Promise<World> {
  const { cacheDir, temporalCli, environment } = config;
  say('starting Postgres, Temporal, the API and two workers (usually 20 seconds) …');
  return startWorld({ folder, postgresFolder, cacheDir, temporalCli, environment, say, signal });
}

async function runOnSmallDisk(options: WorldOptions, scenario: Scenario): Promise<ScenarioResult> {
  return inFolder(options.config, async (folder) => {
    await using stack = new AsyncDisposableStack();
    const disk = await mountSmallDisk(path.join(folder, 'disk'));
    if (!disk) return { scenario, skipped: 'this user may not mount a tmpfs' };
    stack.defer(disk.close);
    const world = await openWorld(options, folder, disk.folder);
    stack.defer(world.close);
    return await runScenario(options, world, { scenario, inject: withDisk(disk) });
  });
}

function withDisk(disk: FullDisk): Scenario['inject'] {
  return (world, note) => injectFullDisk(world, disk, note);
}

interface Run {
  scenario: Scenario;
  inject: Scenario['inject'];
}

async function runScenario(
  { say, signal }: WorldOptions,
  world: World,
  { scenario, inject }: Run,
): Promise<ScenarioResult> {
  signal.throwIfAborted();
  say(`${scenario.name}: ${scenario.what} …`);
  const faults: number[] = [];
  const load = (scenario.startLoad ?? startLoad)(world, scenario.name);
  try {
    await inject(world, () => faults.push(Date.now()));
    await sleep(3_000);
  } finally {
    await load.stop();
  }
  const evidence = { turns: load.accepted, executions: world.shop.executions, faults };
  const promises = { check: load.check, toolsAnswer: scenario.toolsAnswer ?? false };
  const verdicts = await Promise.all(
    executionModes.map(
      async (mode) => [mode, await judge(world.databaseUrl, { ...evidence, ...promises }, mode)] as const,
    ),
  );
  return { scenario, verdicts: Object.fromEntries(verdicts) as Record<ExecutionMode, Verdict> };
}

async function inFolder<Result>(
  { dataDir }: Config,
  run: (folder: string) => Promise<Result>,
): Promise<Result> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(path.join(dataDir, 'faults-'));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
