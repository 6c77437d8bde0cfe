import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionMode } from '../../src/domain/agent.ts';
import { readProcessorTimes, toUsedTimes } from '../measure/processor-time.ts';
import { toolRounds, type LoadTurn, type MemoryUse } from '../programs/contract.ts';
import { quantile } from '../statistics.ts';
import { countConnections } from './count-connections.ts';
import type { ProgramGroups, ScaleStage } from './scale-stage.ts';
import { readStoredData, toStoredEach, type StoredData } from './stored-data.ts';

/** The load of one row. */
export interface LoadPlan {
  execution: ExecutionMode;
  inFlight: number;
  /** In how many pieces the model streams each of its answers. */
  pieces: number;
  /** How long the load runs before it is measured. */
  rampMs: number;
  durationMs: number;
}

/** The figures of an installation under one load. */
export interface LoadFigures extends Pick<LoadPlan, 'execution' | 'inFlight' | 'pieces'> {
  turnsPerSecond: number;
  /** Turns that ended in another way than with an answer, or whose messages lack a piece. */
  notCompleted: number;
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
  /** The commits and bytes of Postgres for a turn. */
  stored: StoredData;
  /** Connections to Postgres by the kind of program. */
  connections: Record<string, number>;
}

/** Runs a load and measures nothing. */
export async function runLoad(
  { load, seed, origins }: ScaleStage,
  { execution, inFlight, durationMs }: Pick<LoadPlan, 'execution' | 'inFlight' | 'durationMs'>,
): Promise<void> {
  await load.ask('start', { origins, apiKey: seed.apiKey, agentId: seed.agentIds[execution], inFlight });
  await sleep(durationMs);
  await load.ask('stop');
}

/** Runs a load and measures the installation while it runs. */
export async function measureLoad(stage: ScaleStage, plan: LoadPlan): Promise<LoadFigures> {
  const { load, model, seed, origins } = stage;
  const { execution, inFlight, pieces } = plan;
  await model.ask('setPieces', pieces);
  const idle = await sumMemory(stage);
  await load.ask('start', { origins, apiKey: seed.apiKey, agentId: seed.agentIds[execution], inFlight });
  await sleep(plan.rampMs);
  await load.ask('take');
  const storedBefore = await readStoredData(stage.databaseUrl);
  const before = readGroupTimes(stage.groups);
  const machineBefore = readMachineTimes();
  const startedAt = performance.now();
  await sleep(plan.durationMs);
  const turns = await load.ask('take');
  const seconds = (performance.now() - startedAt) / 1000;
  const used = toUsedTimes(before, readGroupTimes(stage.groups));
  const busyShare = toBusyShare(machineBefore, readMachineTimes());
  const storedAfter = await readStoredData(stage.databaseUrl);
  const busy = await sumMemory(stage);
  const connections = countByGroup(stage);
  await load.ask('stop');
  const calledAt = await model.ask('takeFirstSteps');
  if (turns.length === 0) throw new Error(`no turn of ${execution} ended in ${seconds.toFixed(0)} s`);
  return {
    ...{ execution, inFlight, pieces, connections, busyShare },
    turnsPerSecond: turns.length / seconds,
    notCompleted: turns.filter((turn) => !isWhole(turn, pieces)).length,
    piecesMs: toPiecesMs(turns),
    processorMs: Object.fromEntries(
      Object.entries(used).map(([name, time]) => [name, (time / turns.length) * 1000]),
    ),
    ...toTimes(turns, calledAt),
    stored: toStoredEach(storedBefore, storedAfter, turns.length),
    memory: {
      ...busy,
      residentEach: (busy.resident - idle.resident) / inFlight,
      heapEach: (busy.heap - idle.heap) / inFlight,
    },
  };
}

function isWhole({ outcome, storedPieces }: LoadTurn, pieces: number): boolean {
  return outcome === 'completed' && storedPieces === (toolRounds + 1) * pieces;
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

async function sumMemory({ workers }: ScaleStage): Promise<MemoryUse> {
  const all = await Promise.all(workers.map((worker) => worker.ask('measureMemory')));
  return {
    resident: all.reduce((sum, { resident }) => sum + resident, 0),
    heap: all.reduce((sum, { heap }) => sum + heap, 0),
  };
}

function readGroupTimes(groups: ProgramGroups): Record<string, number> {
  return Object.fromEntries(
    Object.entries(groups).map(([name, programs]) => {
      const processes = programs.map(({ pid }) => ({
        ...{ name: String(pid), pid, withChildren: name === 'postgres' },
      }));
      const seconds = Object.values(readProcessorTimes(processes));
      return [name, seconds.reduce((sum, each) => sum + each, 0)];
    }),
  );
}

function countByGroup({ groups, databaseUrl }: ScaleStage): Record<string, number> {
  const port = Number(new URL(databaseUrl).port);
  const counts = Object.entries(groups).map(([name, programs]) => [
    name,
    programs.reduce((sum, { pid }) => sum + countConnections(pid, port), 0),
  ]);
  return Object.fromEntries(counts) as Record<string, number>;
}
