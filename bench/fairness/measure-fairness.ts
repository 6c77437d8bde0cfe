import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { ExecutionMode } from '../../src/domain/agent.ts';
import { readProcessorTimes, toUsedTimes } from '../measure/processor-time.ts';
import type { BenchRow } from '../rows.ts';
import type { FairnessStage } from './fairness-stage.ts';

const pollMs = 200;

/** More turns than one worker ends in a second; for each second of a measurement as many more are queued at its beginning. */
const mostTurnsPerSecond = 40;

/** One measurement: how the turns run, how long a model call takes, and how many turns of the busy workspace may run. */
export interface FairnessCase {
  execution: ExecutionMode;
  modelMs: number;
  limit: number;
}

/** The amount of measuring. */
export interface FairnessPlan {
  /** How many turns of the busy workspace wait, at least. */
  waiting: number;
  /** How long turns of the other workspace are measured, alone and beside those that wait, in milliseconds. */
  durationMs: number;
}

/** The figures of one measurement. Latencies are those of turns of the quiet workspace, one at a time, in milliseconds. */
export interface FairnessFigures extends FairnessCase {
  idleMs: number[];
  besideMs: number[];
  /** How many turns of the busy workspace waited when the measurement beside them began, and when it ended. */
  waiting: { before: number; after: number };
  /** How many turns of the busy workspace ended each second. */
  busyTurnsPerSecond: number;
  /** The share of all processors that the installation used beside the turns that wait; null where it is not known. */
  processorShare: number | null;
}

/** Measures turns of one workspace alone, and while another one has turns that wait. */
export async function measureFairness(
  stage: FairnessStage,
  database: pg.Client,
  { plan, ...one }: FairnessCase & { plan: FairnessPlan & { cores: number } },
): Promise<FairnessFigures> {
  const { execution, modelMs, limit } = one;
  const row = toQuietRow(execution);
  const { workspaceId } = stage.busy.seed;
  const runQuietTurns = async () =>
    (await stage.quiet.client.ask('runBatch', { row, inFlight: 1, durationMs: plan.durationMs })).latenciesMs;
  await stage.worker.ask('setModelTime', modelMs);
  const idleMs = await runQuietTurns();
  await database.query('UPDATE workspaces SET max_running_turns = $1 WHERE id = $2', [limit, workspaceId]);
  await submitUntilWaiting(stage, database, {
    row,
    most: plan.waiting + (plan.durationMs / 1000) * mostTurnsPerSecond,
  });
  const before = await readTurns(database, workspaceId);
  const times = readProcessorTimes(stage.processes);
  const begun = performance.now();
  const besideMs = await runQuietTurns();
  const seconds = (performance.now() - begun) / 1000;
  const used = Object.values(toUsedTimes(times, readProcessorTimes(stage.processes)));
  const after = await readTurns(database, workspaceId);
  await endWaiting(database, workspaceId);
  return {
    ...one,
    ...{ idleMs, besideMs },
    waiting: { before: before.queued, after: after.queued },
    busyTurnsPerSecond: (after.ended - before.ended) / seconds,
    processorShare:
      used.length === 0 ? null : used.reduce((sum, each) => sum + each, 0) / seconds / plan.cores,
  };
}

/** Turns that are submitted apart from the worker: no eager start lets them pass those that wait for a worker. */
export function toQuietRow(execution: ExecutionMode): BenchRow {
  return { name: `${execution}, client apart`, kind: 'holdfast', execution, through: 'client' };
}

interface Submitting {
  row: BenchRow;
  most: number;
}

/** Turns end while others are submitted, so more are submitted until enough wait. */
async function submitUntilWaiting(
  { busy }: FairnessStage,
  database: pg.Client,
  { row, most }: Submitting,
): Promise<void> {
  for (let waiting = 0; waiting < most;) {
    await busy.client.ask('submitTurns', { row, turns: most - waiting });
    waiting = (await readTurns(database, busy.seed.workspaceId)).queued;
  }
}

interface Turns {
  queued: number;
  running: number;
  ended: number;
}

async function readTurns(database: pg.Client, workspaceId: string): Promise<Turns> {
  const { rows: found } = await database.query<Record<keyof Turns, string>>(
    `SELECT count(*) FILTER (WHERE status = 'queued') AS queued, count(*) FILTER (WHERE status = 'running') AS running,
       count(*) FILTER (WHERE status NOT IN ('queued', 'running')) AS ended
     FROM turns WHERE workspace_id = $1`,
    [workspaceId],
  );
  const [turns] = found;
  return {
    queued: Number(turns?.queued),
    running: Number(turns?.running),
    ended: Number(turns?.ended),
  };
}

/** Cancels queued turns and waits for running ones, so that the next measurement begins on an idle machine. */
async function endWaiting(database: pg.Client, workspaceId: string): Promise<void> {
  const cancel = `UPDATE turns SET status = 'cancelled' WHERE workspace_id = $1 AND status = 'queued'`;
  await database.query(cancel, [workspaceId]);
  while ((await readTurns(database, workspaceId)).running > 0) await sleep(pollMs);
}
