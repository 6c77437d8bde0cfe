import { median, quantile } from '../statistics.ts';
import type { Plan } from '../plan.ts';
import type { BatchOrder, BatchResult } from '../programs/contract.ts';
import type { BenchRow } from '../rows.ts';
import { findSubmitter, type Stage } from '../stage.ts';
import { toHistorySize } from './history-sizes.ts';
import { readProcessorTimes, toUsedTimes, type ProcessorTimes } from './processor-time.ts';

/** The figures of one row on one engine. */
export interface RowFigures {
  row: string;
  /** The time from just before a turn is submitted until its end is known, one turn at a time. */
  medianMs: number;
  p95Ms: number;
  /** The median time from the submission of a turn until its first step, the model call, begins. */
  toFirstStepMs: number;
  /** The throughput by the number of turns in flight. */
  turnsPerSecond: Record<string, number>;
  historyBytes: number;
  historyEvents: number;
  /** Processor seconds for 1000 turns, by process, with many in flight. */
  processorSeconds: ProcessorTimes;
}

/** Runs the rounds of one row and collects their figures. */
export interface RowMeasurement {
  row: BenchRow;
  runLatencyRound: (plan: Plan['latency']) => Promise<void>;
  runThroughputRound: (plan: Plan['throughput'], inFlight: number) => Promise<void>;
  toFigures: () => Promise<RowFigures>;
}

interface Round {
  latenciesMs: number[];
  toFirstStepMs: number[];
}

/** Creates the measurement of one row. */
export function createRowMeasurement(stage: Stage, row: BenchRow): RowMeasurement {
  const worker = stage.workers[row.kind];
  const submitter = findSubmitter(stage, row);
  const processes = [...stage.processes, { name: 'worker', pid: worker.process.pid }];
  const rounds: Round[] = [];
  const rates = new Map<number, number[]>();
  const used = { turns: 0, times: {} as ProcessorTimes };
  let workflowIds: string[] = [];

  async function runBatch(order: Omit<BatchOrder, 'row'>): Promise<BatchResult> {
    const result = await submitter.ask('runBatch', { row, ...order });
    workflowIds = result.workflowIds.slice(-5);
    return result;
  }

  return {
    row,
    runLatencyRound: async ({ turns }) => {
      const { latenciesMs, acceptedAt } = await runBatch({ inFlight: 1, turns });
      const firstSteps = await worker.ask('takeFirstSteps');
      const toFirstStepMs = Object.entries(acceptedAt).map(([tag, at]) => (firstSteps[tag] ?? NaN) - at);
      rounds.push({ latenciesMs, toFirstStepMs });
    },
    runThroughputRound: async ({ durationMs }, inFlight) => {
      const before = readProcessorTimes(processes);
      const { turns, turnsPerSecond } = await runBatch({ inFlight, durationMs });
      addTimes(used.times, toUsedTimes(before, readProcessorTimes(processes)));
      used.turns += turns;
      rates.set(inFlight, [...(rates.get(inFlight) ?? []), turnsPerSecond]);
      await worker.ask('takeFirstSteps');
    },
    toFigures: async () => ({
      row: row.name,
      medianMs: median(rounds.map(({ latenciesMs }) => median(latenciesMs))),
      p95Ms: quantile(
        rounds.flatMap(({ latenciesMs }) => latenciesMs),
        0.95,
      ),
      toFirstStepMs: median(rounds.map(({ toFirstStepMs }) => median(toFirstStepMs))),
      turnsPerSecond: Object.fromEntries([...rates].map(([inFlight, all]) => [inFlight, median(all)])),
      ...toHistorySize(await stage.client.ask('readHistories', workflowIds)),
      processorSeconds: Object.fromEntries(
        Object.entries(used.times).map(([name, seconds]) => [name, (seconds / used.turns) * 1000]),
      ),
    }),
  };
}

function addTimes(sum: ProcessorTimes, more: ProcessorTimes): void {
  for (const [name, seconds] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + seconds;
}
