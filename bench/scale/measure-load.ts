import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  listProcesses,
  readProcessorTimes,
  toUsedTimes,
  type TimedProcess,
} from '../measure/processor-time.ts';
import { readMebibytes } from '../peers/memory-peaks.ts';
import { toolRounds, type LoadTurn, type MemoryUse } from '../programs/contract.ts';
import { quantile } from '../statistics.ts';
import { countConnections } from './count-connections.ts';
import type { LoadTarget, ProgramGroups } from './load-target.ts';
import { readStoredData, toStoredEach, type StoredData } from './stored-data.ts';

/** How long the turns that run at the end of a load may take, in milliseconds. */
const stopTimeoutMs = 180_000;

/** The load of one row. */
export interface LoadPlan {
  inFlight: number;
  /** In how many pieces the model streams each of its answers. */
  pieces: number;
  /** How long the load runs before it is measured. */
  rampMs: number;
  durationMs: number;
}

/** The figures of one row under one load. */
export interface LoadFigures extends Pick<LoadPlan, 'inFlight' | 'pieces'> {
  /** The way to run the turns that was measured. */
  row: string;
  /** The turns that ended in the measured time. */
  turns: number;
  turnsPerSecond: number;
  /** Turns that ended in another way than with an answer, or whose messages lack a piece. */
  notCompleted: number;
  /** How those turns ended, and with how many pieces, with the number of turns. */
  notWhole: Record<string, number>;
  /** How long after the model wrote them pieces arrived at the reader, in milliseconds: the first of each answer, and the others. */
  piecesMs: Record<'first' | 'later', { p50: number; p99: number }>;
  /** The share of the processors of this machine that was busy, all programs counted. */
  busyShare: number;
  /** Processor milliseconds of a turn, by the kind of program. */
  processorMs: Record<string, number>;
  /** Milliseconds from the sending of the message until the model was called. */
  toModelMs: { p50: number; p95: number; p99: number };
  /** Milliseconds from the sending of the message until the API answered that the turn is stored. */
  toAcceptedMs: { p50: number; p99: number };
  /** Memory of all workers after a garbage collection, with these turns in flight, and how much of it a turn takes. */
  memory: { resident: number; heap: number; residentEach: number; heapEach: number };
  /** Mebibytes of memory by the kind of program at the end of the measured time. */
  residentMiB: Record<string, number>;
  /** The commits and bytes of Postgres for a turn; null without a Postgres. */
  stored: StoredData | null;
  /** Connections to Postgres by the kind of program. */
  connections: Record<string, number>;
}

/** Runs a load and measures nothing. */
export async function runLoad(
  target: LoadTarget,
  { inFlight, durationMs }: Pick<LoadPlan, 'inFlight' | 'durationMs'>,
): Promise<void> {
  await startLoad(target, inFlight);
  await sleep(durationMs);
  await stopLoad(target);
}

/** Runs a load and measures the programs while it runs. */
export async function measureLoad(target: LoadTarget, plan: LoadPlan): Promise<LoadFigures> {
  const { row, load, model } = target;
  const { inFlight, pieces } = plan;
  await model.ask('setPieces', pieces);
  const idle = await sumMemory(target);
  await startLoad(target, inFlight);
  await sleep(plan.rampMs);
  await load.ask('take');
  const before = await readCounters(target);
  const startedAt = performance.now();
  await sleep(plan.durationMs);
  const turns = await load.ask('take');
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await readCounters(target);
  const residentMiB = readResidentMiB(target.groups);
  const busy = await sumMemory(target);
  const connections = countByGroup(target);
  await stopLoad(target);
  const calledAt = await model.ask('takeFirstSteps');
  if (turns.length === 0) throw new Error(`no turn of ${row} ended in ${seconds.toFixed(0)} s`);
  const used = toUsedTimes(before.processor, after.processor);
  return {
    ...{ row, inFlight, pieces, connections, residentMiB },
    turns: turns.length,
    busyShare: toBusyShare(before.machine, after.machine),
    turnsPerSecond: turns.length / seconds,
    ...toNotWhole(turns.filter((turn) => !isWhole(turn, pieces))),
    piecesMs: toPiecesMs(turns),
    processorMs: Object.fromEntries(
      Object.entries(used).map(([name, time]) => [name, (time / turns.length) * 1000]),
    ),
    ...toTimes(turns, calledAt),
    stored: before.stored && after.stored && toStoredEach(before.stored, after.stored, turns.length),
    memory: {
      ...busy,
      residentEach: (busy.resident - idle.resident) / inFlight,
      heapEach: (busy.heap - idle.heap) / inFlight,
    },
  };
}

async function startLoad({ load, origins, apiKey, agentId }: LoadTarget, inFlight: number): Promise<void> {
  await load.ask('start', { origins, apiKey, agentId, inFlight });
}

/** Waits for the turns that still run. */
async function stopLoad({ load, row }: LoadTarget): Promise<void> {
  const tooLate = sleep(stopTimeoutMs, 'too late', { ref: false });
  if ((await Promise.race([load.ask('stop'), tooLate])) === 'too late') {
    throw new Error(`the last turns of ${row} did not end within ${stopTimeoutMs / 1000} s`);
  }
}

async function readCounters({ databaseUrl, groups }: LoadTarget) {
  const processor = readGroupTimes(groups);
  const machine = readMachineTimes();
  const stored = databaseUrl === null ? null : await readStoredData(databaseUrl);
  return { processor, machine, stored };
}

function isWhole({ outcome, storedPieces }: LoadTurn, pieces: number): boolean {
  return outcome === 'completed' && storedPieces === (toolRounds + 1) * pieces;
}

function toNotWhole(turns: LoadTurn[]): Pick<LoadFigures, 'notCompleted' | 'notWhole'> {
  const notWhole: Record<string, number> = {};
  for (const { outcome, storedPieces } of turns) {
    const ending = `${outcome} with ${storedPieces} pieces`;
    notWhole[ending] = (notWhole[ending] ?? 0) + 1;
  }
  return { notCompleted: turns.length, notWhole };
}

function toPiecesMs(turns: LoadTurn[]): LoadFigures['piecesMs'] {
  const toSpread = (ms: number[]) =>
    ms.length === 0 ? { p50: NaN, p99: NaN } : { p50: quantile(ms, 0.5), p99: quantile(ms, 0.99) };
  return {
    first: toSpread(turns.flatMap(({ firstPiecesMs }) => firstPiecesMs)),
    later: toSpread(turns.flatMap(({ laterPiecesMs }) => laterPiecesMs)),
  };
}

/** The milliseconds that all processors of this machine have been busy and idle since it was started. */
function readMachineTimes(): { busy: number; idle: number } {
  const sums = { busy: 0, idle: 0 };
  for (const { times } of cpus()) {
    sums.idle += times.idle;
    sums.busy += times.user + times.nice + times.sys + times.irq;
  }
  return sums;
}

function toBusyShare(
  before: ReturnType<typeof readMachineTimes>,
  after: ReturnType<typeof readMachineTimes>,
): number {
  const busy = after.busy - before.busy;
  return busy / (busy + after.idle - before.idle);
}

function toTimes(turns: LoadTurn[], calledAt: Record<string, number>) {
  const toModel = turns.flatMap(({ tag, sentAt }) => {
    const at = calledAt[tag];
    return at === undefined ? [] : [at - sentAt];
  });
  const toAccepted = turns.map(({ sentAt, acceptedAt }) => acceptedAt - sentAt);
  return {
    toModelMs: { p50: quantile(toModel, 0.5), p95: quantile(toModel, 0.95), p99: quantile(toModel, 0.99) },
    toAcceptedMs: { p50: quantile(toAccepted, 0.5), p99: quantile(toAccepted, 0.99) },
  };
}

async function sumMemory({ workers }: LoadTarget): Promise<MemoryUse> {
  const all = await Promise.all(workers.map((worker) => worker.ask('measureMemory')));
  return { resident: sum(all.map(({ resident }) => resident)), heap: sum(all.map(({ heap }) => heap)) };
}

function readGroupTimes(groups: ProgramGroups): Record<string, number> {
  return mapGroups(groups, (processes) =>
    sum(processes.flatMap((one) => Object.values(readProcessorTimes([one])))),
  );
}

function readResidentMiB(groups: ProgramGroups): Record<string, number> {
  return mapGroups(groups, (processes) => sum(processes.flatMap(listProcesses).map(readMebibytes)));
}

function countByGroup({ groups, databaseUrl }: LoadTarget): Record<string, number> {
  if (databaseUrl === null) return {};
  const port = Number(new URL(databaseUrl).port);
  return mapGroups(groups, (processes) => sum(processes.map(({ pid }) => countConnections(pid, port))));
}

function mapGroups(
  groups: ProgramGroups,
  toNumber: (processes: TimedProcess[]) => number,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(groups).map(([name, programs]) => [
      name,
      toNumber(programs.map(({ pid }) => ({ name, pid, withChildren: name === 'postgres' }))),
    ]),
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
