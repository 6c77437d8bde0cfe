import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { listProcesses, toUsedTimes } from '../measure/processor-time.ts';
import { readMebibytes } from '../peers/memory-peaks.ts';
import { toolRounds, type LoadOrder, type LoadTurn, type MemoryUse } from '../programs/contract.ts';
import { quantile } from '../statistics.ts';
import { countConnections } from './count-connections.ts';
import { mapGroups, readGroupTimes, sum } from './group-times.ts';
import type { LoadTarget, ProgramGroups } from './load-target.ts';
import { readStoredData, toStoredEach, type StoredData } from './stored-data.ts';

/** How long the turns that run at the end of a load may take, in milliseconds. */
const stopTimeoutMs = 180_000;

/** The load of one row. */
export interface LoadPlan {
  inFlight: number;
  /** In how many pieces the model streams each of its answers. */
  pieces: number;
  /** How long the load runs before it is measured; with `seconds` the time over which the conversations begin. */
  rampMs: number;
  durationMs: number;
  /**
   * The average time of a turn, in seconds. With it all turns of the load are measured from their start to their end, since few
   * long ones would begin and end in the time that is measured otherwise. @default 4.4, and only what happens in `durationMs` counts
   */
  seconds?: number;
}

/** The figures of one row under one load. */
export interface LoadFigures extends Pick<LoadPlan, 'inFlight' | 'pieces' | 'seconds'> {
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
  await startLoad(target, { inFlight });
  await sleep(durationMs);
  await stopLoad(target);
}

/** Runs a load and measures the programs while it runs. */
export async function measureLoad(target: LoadTarget, plan: LoadPlan): Promise<LoadFigures> {
  const { row, model } = target;
  const { inFlight, pieces } = plan;
  await model.ask('setPieces', pieces);
  await model.ask('setTurnSeconds', plan.seconds ?? null);
  const idle = await sumMemory(target);
  const measured =
    plan.seconds === undefined ? await measurePart(target, plan) : await measureAll(target, plan);
  const { before, after, turns, residentMiB, busy, connections } = measured;
  const seconds = (after.at - before.at) / 1000;
  const calledAt = await model.ask('takeFirstSteps');
  if (turns.length === 0) throw new Error(`no turn of ${row} ended in ${seconds.toFixed(0)} s`);
  const used = toUsedTimes(before.processor, after.processor);
  return {
    ...{ row, inFlight, pieces, connections, residentMiB },
    ...(plan.seconds === undefined ? {} : { seconds: plan.seconds }),
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

/** Measures what happens in a part of the load. */
async function measurePart(target: LoadTarget, { inFlight, rampMs, durationMs }: LoadPlan) {
  await startLoad(target, { inFlight });
  await sleep(rampMs);
  await target.load.ask('take');
  const before = await readCounters(target);
  await sleep(durationMs);
  const turns = await target.load.ask('take');
  const end = await readEnd(target);
  await stopLoad(target);
  return { ...end, before, turns };
}

/** Measures all turns of the load, from the start of the first to the end of the last. */
async function measureAll(target: LoadTarget, { inFlight, rampMs, durationMs }: LoadPlan) {
  const before = await readCounters(target);
  await startLoad(target, { inFlight, spreadMs: rampMs });
  await sleep(rampMs + durationMs);
  await stopLoad(target);
  const turns = await target.load.ask('take');
  return { ...(await readEnd(target)), before, turns };
}

async function readEnd(target: LoadTarget) {
  const after = await readCounters(target);
  const residentMiB = readResidentMiB(target.groups);
  const busy = await sumMemory(target);
  return { after, residentMiB, busy, connections: countByGroup(target) };
}

async function startLoad(
  { load, origins, apiKey, agentId }: LoadTarget,
  size: Pick<LoadOrder, 'inFlight' | 'spreadMs'>,
): Promise<void> {
  await load.ask('start', { origins, apiKey, agentId, ...size });
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
  return { at: performance.now(), processor, machine, stored };
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

function readResidentMiB(groups: ProgramGroups): Record<string, number> {
  return mapGroups(groups, (processes) => sum(processes.flatMap(listProcesses).map(readMebibytes)));
}

function countByGroup({ groups, databaseUrl }: LoadTarget): Record<string, number> {
  if (databaseUrl === null) return {};
  const port = Number(new URL(databaseUrl).port);
  return mapGroups(groups, (processes) => sum(processes.map(({ pid }) => countConnections(pid, port))));
}
