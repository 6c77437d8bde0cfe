import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { executionModes, type ExecutionMode } from '../../src/domain/agent.ts';
import type { Say } from '../../src/main/dev/say.ts';
import { describeMachine, type Machine } from '../machine.ts';
import type { ProcessorTimes } from '../measure/processor-time.ts';
import { openPlace, type PlaceOptions } from '../place.ts';
import { measureLongWaits, measureShortWaits } from './measure-decisions.ts';
import { measureIdle, readSizes, toSizesEach, type StoredSizes } from './measure-waiting.ts';
import { startWaiting, waitUntilSwept } from './start-waiting.ts';
import { startWaitingStage, type WaitingStage } from './waiting-stage.ts';

const warmUpTurns = 20;
const mostDecisions = 100;
const idleMs = 30_000;

/** How long programs get no request before their idle time is measured, in milliseconds. */
const calmMs = 20_000;

/** The times of the decisions of one kind, in milliseconds. */
export interface DecisionTimes {
  execution: ExecutionMode;
  /** Whether the turn had waited for long, in a separate workflow run, or only for a moment. */
  waited: 'long' | 'a moment';
  ms: number[];
}

/** The figures of turns that wait. */
export interface WaitingFigures {
  startedAt: string;
  machine: Machine;
  /** How many turns waited. */
  count: number;
  /** Bytes for each turn. */
  sizes: StoredSizes;
  idleSeconds: number;
  /** Processor seconds in that time, without turns that wait and with all of them. */
  idle: { before: ProcessorTimes; waiting: ProcessorTimes };
  decisions: DecisionTimes[];
}

interface RunWaitingOptions extends PlaceOptions {
  /** How many turns wait. */
  count: number;
}

/** Lets turns wait for approvals, and measures their size, their cost while nothing happens, and decisions. */
export async function runWaiting({ count, ...options }: RunWaitingOptions): Promise<WaitingFigures> {
  const { say, signal } = options;
  const startedAt = new Date().toISOString();
  const machine = describeMachine();
  await using stack = new AsyncDisposableStack();
  say('starting Postgres, Temporal, the API, a worker, a model and a tool (usually 15 seconds) …');
  const stage = await startWaitingStage(openPlace(options, stack));
  const database = new pg.Client(stage.databaseUrl);
  await database.connect();
  stack.defer(() => database.end());
  const measured = await Promise.race([measure(stage, database, { count, say }), stopped(signal)]);
  return { startedAt, machine, count, idleSeconds: idleMs / 1000, ...measured };
}

/** Rejects when the benchmark is stopped. */
function stopped(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

interface Measurement {
  count: number;
  say: Say;
}

async function measure(stage: WaitingStage, database: pg.Client, { count, say }: Measurement) {
  await warmUp(stage, database);
  say('measuring the programs while nothing happens and no turn waits …');
  await sleep(calmMs);
  const before = await measureIdle(stage, idleMs);
  const sizesBefore = await readSizes(stage, database);
  say(`starting ${count} turns that wait for approvals …`);
  await startWaiting(stage, database, { count, tag: 'long', say });
  say('measuring the programs while nothing happens and all of them wait …');
  await waitUntilSwept(database);
  await sleep(calmMs);
  const waiting = await measureIdle(stage, idleMs);
  const sizes = toSizesEach(sizesBefore, await readSizes(stage, database), count);
  say('measuring decisions …');
  const decisions = await measureDecisions(stage, database, Math.min(mostDecisions, Math.floor(count / 4)));
  return { sizes, idle: { before, waiting }, decisions };
}

/** The first turns of a program are slower, since its code is compiled then. */
async function warmUp(stage: WaitingStage, database: pg.Client): Promise<void> {
  for (const execution of executionModes) {
    await measureShortWaits(stage, database, { execution, count: warmUpTurns / 2 });
  }
}

async function measureDecisions(
  stage: WaitingStage,
  database: pg.Client,
  count: number,
): Promise<DecisionTimes[]> {
  const all: DecisionTimes[] = [];
  for (const execution of executionModes) {
    const long = await measureLongWaits(stage, database, { execution, count });
    const short = await measureShortWaits(stage, database, { execution, count });
    all.push({ execution, waited: 'long', ms: long }, { execution, waited: 'a moment', ms: short });
  }
  return all;
}
