import type { Say } from '../../src/main/dev/say.ts';
import type { Plan } from '../plan.ts';
import { ownRows, type BenchRow } from '../rows.ts';
import type { Stage } from '../stage.ts';
import { median, slope } from '../statistics.ts';

/** The memory of the worker after a number of turns. */
export interface MemorySample {
  turns: number;
  residentMiB: number;
  heapMiB: number;
}

/** The growth of the worker's memory. */
export interface MemoryFigures {
  samples: MemorySample[];
  /** The growth with 1000 turns after the warm-up. */
  growthMiB: { resident: number; heap: number };
  flat: boolean;
  /** The most resident memory of all samples. */
  largestMiB: number;
}

const mebibyte = 1024 ** 2;
const warmUpShare = 0.2;

/** The allowed difference of memory between warm-up and end: a share of it, and a minimum. */
const tolerance = { resident: { share: 0.1, leastMiB: 16 }, heap: { share: 0.05, leastMiB: 2 } };

/**
 * Runs many turns of both ways to run the steps, and reads the worker's memory in between. It is to be measured before
 * the rows, whose turns are submitted from the same process.
 */
export async function measureMemory(stage: Stage, plan: Plan['memory'], say: Say): Promise<MemoryFigures> {
  const [first, second] = ownRows;
  if (!first || !second) throw new Error('two rows are expected');
  // Submitted from outside, so that the process holds what a worker holds.
  const runBatch = (own: BenchRow, turns: number) =>
    stage.client.ask('runBatch', { row: { ...own, through: 'client' }, inFlight: 32, turns });
  for (const row of [first, second]) await runBatch(row, plan.warmUpTurns / 2);
  const samples: MemorySample[] = [];
  for (let turns = plan.every; turns <= plan.turns; turns += plan.every) {
    await runBatch(samples.length % 2 === 0 ? first : second, plan.every);
    const sample = await readMemory(stage.workers.holdfast, turns);
    samples.push(sample);
    say(`  ${turns} turns: ${sample.residentMiB.toFixed(0)} MiB, heap ${sample.heapMiB.toFixed(1)} MiB`);
  }
  return toMemoryFigures(samples);
}

/** Reads the memory of a worker that has run `turns` turns, without the records that the benchmark keeps of them there. */
export async function readMemory(worker: Stage['replayWorker'], turns: number): Promise<MemorySample> {
  await worker.ask('takeFirstSteps');
  const { resident, heap } = await worker.ask('measureMemory');
  return { turns, residentMiB: resident / mebibyte, heapMiB: heap / mebibyte };
}

/** Judges samples: flat when, after the first fifth, neither size grows by more than noise. */
export function toMemoryFigures(samples: MemorySample[]): MemoryFigures {
  const settled = samples.slice(Math.floor(samples.length * warmUpShare));
  const resident = judge(
    settled.map(({ turns, residentMiB }) => ({ x: turns, y: residentMiB })),
    tolerance.resident,
  );
  const heap = judge(
    settled.map(({ turns, heapMiB }) => ({ x: turns, y: heapMiB })),
    tolerance.heap,
  );
  return {
    samples,
    growthMiB: { resident: resident.perThousand, heap: heap.perThousand },
    flat: resident.flat && heap.flat,
    largestMiB: Math.max(...samples.map(({ residentMiB }) => residentMiB)),
  };
}

function judge(points: { x: number; y: number }[], { share, leastMiB }: { share: number; leastMiB: number }) {
  const each = slope(points);
  const grown = each * ((points.at(-1)?.x ?? 0) - (points[0]?.x ?? 0));
  const size = points.length === 0 ? 0 : median(points.map(({ y }) => y));
  return { perThousand: each * 1000, flat: grown <= Math.max(size * share, leastMiB) };
}
