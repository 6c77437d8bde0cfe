import {
  readProcessorTimes,
  toUsedTimes,
  type ProcessorTimes,
  type TimedProcess,
} from '../measure/processor-time.ts';
import type { Program } from '../programs/program.ts';
import { median, quantile } from '../statistics.ts';
import type { PeerRequests } from './contract.ts';
import { readCounters, toCountersPerTurn, type DatabaseCounters } from './database-counters.ts';
import { watchMemory, type MemoryPeaks } from './memory-peaks.ts';

/** The amount of measuring of one row. */
export interface PeerPlan {
  warmUpTurns: number;
  /** One turn at a time, until so many have ended or the time is over. */
  latency: { turns: number; durationMs: number };
  /** Many turns at a time. */
  throughput: { inFlight: readonly number[]; durationMs: number };
  /** The places in a conversation whose turns are measured, and how many turns around each count, within a duration. */
  growth: { positions: readonly number[]; turns: number; durationMs: number };
}

/** The running programs of a row. */
export interface PeerStage {
  /** Empty when the engine stores nothing in Postgres. */
  databaseUrl: string;
  program: Program<PeerRequests>;
  processes: readonly TimedProcess[];
}

/** The figures of one row. */
export interface PeerFigures {
  row: string;
  medianMs: number;
  p95Ms: number;
  /** The throughput by the number of turns in flight. */
  turnsPerSecond: Record<string, number>;
  /** The median latency by the place of the turn in one conversation; only of places that were reached in time. */
  growthMs: Record<string, number>;
  /** Processor seconds for 1000 turns, by process, with many in flight. */
  processorSeconds: ProcessorTimes;
  /** The most memory of each process in mebibytes, over the whole measurement. */
  memoryMiB: MemoryPeaks;
  /** The commits, flushes and log of Postgres for a turn, one turn at a time; null for engines that do without it. */
  perTurn: DatabaseCounters | null;
}

/** Measures one row. */
export async function measurePeer(stage: PeerStage, row: string, plan: PeerPlan): Promise<PeerFigures> {
  const { program, processes } = stage;
  using memory = watchMemory(processes);
  await program.ask('runTurns', { inFlight: 8, turns: plan.warmUpTurns });
  const { latenciesMs, perTurn } = await measureLatency(stage, plan.latency);
  const throughput = await measureThroughput(stage, plan.throughput);
  const growthMs = await measureGrowth(stage, plan.growth);
  return {
    row,
    medianMs: median(latenciesMs),
    p95Ms: quantile(latenciesMs, 0.95),
    ...throughput,
    growthMs: { 1: median(latenciesMs), ...growthMs },
    memoryMiB: memory.read(),
    perTurn,
  };
}

async function measureLatency(stage: PeerStage, plan: PeerPlan['latency']) {
  const before = await readCountersOf(stage);
  const { latenciesMs } = await stage.program.ask('runTurns', { inFlight: 1, ...plan });
  const after = await readCountersOf(stage);
  return {
    latenciesMs,
    perTurn: before && after && toCountersPerTurn(before, after, latenciesMs.length + 1),
  };
}

async function readCountersOf({ program, databaseUrl }: PeerStage): Promise<DatabaseCounters | null> {
  if (databaseUrl === '') return null;
  return readCounters(databaseUrl, () => program.ask('runTurns', { inFlight: 1, turns: 1 }));
}

async function measureThroughput({ program, processes }: PeerStage, plan: PeerPlan['throughput']) {
  const turnsPerSecond: Record<string, number> = {};
  const before = readProcessorTimes(processes);
  let turns = 0;
  for (const inFlight of plan.inFlight) {
    const result = await program.ask('runTurns', { inFlight, durationMs: plan.durationMs });
    turnsPerSecond[inFlight] = result.turnsPerSecond;
    turns += result.latenciesMs.length;
  }
  const used = Object.entries(toUsedTimes(before, readProcessorTimes(processes)));
  return {
    turnsPerSecond,
    processorSeconds: Object.fromEntries(used.map(([name, seconds]) => [name, (seconds / turns) * 1000])),
  };
}

async function measureGrowth({ program }: PeerStage, plan: PeerPlan['growth']) {
  const { latenciesMs } = await program.ask('runTurns', {
    inFlight: 1,
    turns: toLastTurn(Math.max(...plan.positions), plan),
    durationMs: plan.durationMs,
    oneConversation: true,
  });
  return toGrowth(latenciesMs, plan);
}

/** Returns the median latency of the turns around each place that was reached. */
export function toGrowth(
  latenciesMs: readonly number[],
  plan: Pick<PeerPlan['growth'], 'positions' | 'turns'>,
): Record<string, number> {
  const reached = plan.positions.filter((position) => toLastTurn(position, plan) <= latenciesMs.length);
  return Object.fromEntries(
    reached.map((position) => {
      const last = toLastTurn(position, plan);
      return [position, median(latenciesMs.slice(last - plan.turns, last))];
    }),
  );
}

/** Returns the number of the last of the turns that count for a place in the middle of them. */
function toLastTurn(position: number, { turns }: Pick<PeerPlan['growth'], 'turns'>): number {
  return position + Math.floor(turns / 2);
}
