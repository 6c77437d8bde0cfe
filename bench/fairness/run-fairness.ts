import { executionModes } from '../../src/domain/agent.ts';
import pg from 'pg';
import { describeMachine, type Machine } from '../machine.ts';
import { median } from '../statistics.ts';
import { openPlace, type PlaceOptions } from '../place.ts';
import { startFairnessStage, type FairnessStage } from './fairness-stage.ts';
import { measureFairness, toQuietRow, type FairnessCase, type FairnessFigures } from './measure-fairness.ts';

const warmUpTurns = 60;

/** The figures of all measurements. */
export interface FairnessReport {
  startedAt: string;
  machine: Machine;
  /** How many turns of the busy workspace wait, at least. */
  waiting: number;
  cases: FairnessFigures[];
}

interface RunFairnessOptions extends PlaceOptions {
  /** How many turns of the busy workspace wait, at least. */
  waiting: number;
  durationMs: number;
}

/** Measures the turns of one workspace beside turns of another one that wait. */
export async function runFairness({
  waiting,
  durationMs,
  ...options
}: RunFairnessOptions): Promise<FairnessReport> {
  const { say } = options;
  const startedAt = new Date().toISOString();
  const machine = describeMachine();
  await using stack = new AsyncDisposableStack();
  say('starting Postgres, Temporal, the API, a worker and two clients (usually 20 seconds) …');
  const stage = await startFairnessStage(openPlace(options, stack));
  const database = new pg.Client(stage.databaseUrl);
  await database.connect();
  stack.defer(() => database.end());
  await warmUp(stage);
  const plan = { waiting, durationMs, cores: machine.cores };
  const measured: FairnessFigures[] = [];
  for (const one of listCases()) {
    say(`${one.execution}, ${one.modelMs} ms for a model call, at most ${one.limit} turns run …`);
    const figures = await measureFairness(stage, database, { ...one, plan });
    say(
      `  ${median(figures.idleMs).toFixed(1)} ms alone, ${median(figures.besideMs).toFixed(1)} ms beside them`,
    );
    measured.push(figures);
  }
  return { startedAt, machine, waiting, cases: measured };
}

/** With a model that answers immediately, turns are bound by the processors of this machine, and keep them busy. */
const cases = [
  { modelMs: 250, limit: 20 },
  { modelMs: 0, limit: 1 },
] satisfies Omit<FairnessCase, 'execution'>[];

function listCases(): FairnessCase[] {
  return cases.flatMap((one) => executionModes.map((execution) => ({ ...one, execution })));
}

async function warmUp({ quiet, worker }: FairnessStage): Promise<void> {
  await worker.ask('setModelTime', 0);
  for (const execution of executionModes)
    await quiet.client.ask('runBatch', { row: toQuietRow(execution), inFlight: 4, turns: warmUpTurns });
}
