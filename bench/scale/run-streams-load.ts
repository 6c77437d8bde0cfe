import { executionModes, type ExecutionMode } from '../../src/domain/agent.ts';
import { describeMachine, type Machine } from '../machine.ts';
import { selectRows, type PeerRow } from '../peers/catalogue.ts';
import { installPeers, listVersions } from '../peers/install-peers.ts';
import { startStreamingPeer } from '../peers/streaming/start-streaming-peer.ts';
import { streamingRows } from '../peers/streaming/streaming-rows.ts';
import { openPlace, type Place, type PlaceOptions } from '../place.ts';
import type { LoadTarget } from './load-target.ts';
import { measureIdle } from './measure-idle.ts';
import { measureLoad, runLoad, type LoadFigures, type LoadPlan } from './measure-load.ts';
import { installations, startScaleStage, toTarget, warmUp } from './scale-stage.ts';
import { toLengthLoads } from './turn-lengths.ts';

/** The figures of one run under the load of streaming answers. */
export interface StreamsLoadFigures {
  startedAt: string;
  machine: Machine;
  load: LoadFigures[];
  /** Processor milliseconds a second without turns, by row and kind of program; only of rows with turns of stated lengths. */
  idle: Record<string, Record<string, number>>;
  /** The packages of the measured peers with their versions. */
  versions: string[];
  /** The rows that could not be measured, with the reasons. */
  problems: string[];
}

interface RunStreamsLoadOptions extends PlaceOptions {
  /** Measures two loads, for a shorter time. */
  quick: boolean;
  /** The names of rows; empty for all. */
  only: readonly string[];
  /** Measures only loads of so many conversations; empty for all. */
  atOnce: readonly number[];
  /** Measures turns of so many seconds in place of these loads. */
  seconds: readonly number[];
}

/** More conversations make turns longer, and their first turns begin at one moment, so that the ramp is longer too. */
const loads: readonly LoadPlan[] = [
  { inFlight: 1, pieces: 50, rampMs: 5_000, durationMs: 30_000 },
  { inFlight: 10, pieces: 50, rampMs: 8_000, durationMs: 25_000 },
  { inFlight: 50, pieces: 50, rampMs: 10_000, durationMs: 25_000 },
  { inFlight: 50, pieces: 150, rampMs: 10_000, durationMs: 25_000 },
  { inFlight: 200, pieces: 50, rampMs: 25_000, durationMs: 30_000 },
];
const quickLoads: readonly LoadPlan[] = [
  { inFlight: 10, pieces: 50, rampMs: 6_000, durationMs: 15_000 },
  { inFlight: 50, pieces: 50, rampMs: 8_000, durationMs: 20_000 },
];

type StreamsLoadRow = PeerRow | (typeof holdfastRows)[number];

const holdfastRows = executionModes.map((execution) => ({ name: execution, execution, packages: [] }));
/** The rows in the order in which they run. */
export const streamsLoadRows: readonly StreamsLoadRow[] = [...streamingRows, ...holdfastRows];

/**
 * Measures programs while the answers of many turns stream to readers, one row after the other: one API and one worker of
 * Holdfast in both modes, and other engines. A row that fails is listed among the problems.
 */
export async function runStreamsLoad(options: RunStreamsLoadOptions): Promise<StreamsLoadFigures> {
  const startedAt = new Date().toISOString();
  const machine = describeMachine();
  const plans = selectLoads(options);
  const selected = selectStreamsRows(options);
  const findMissing = await installPeers(selected, options);
  const load: LoadFigures[] = [];
  const idle: StreamsLoadFigures['idle'] = {};
  const problems: string[] = [];
  for (const row of selected) {
    try {
      const missing = findMissing(row.packages);
      if (missing.length > 0) throw new Error(`${missing.join(', ')} could not be installed`);
      const onIdle = (processorMs: Record<string, number>) => (idle[row.name] = processorMs);
      for await (const figures of measureRow(row, plans, { ...options, onIdle })) load.push(figures);
    } catch (error) {
      // The figures of other rows are kept.
      if (options.signal.aborted) throw error;
      problems.push(`${row.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const versions = listVersions([...new Set(selected.flatMap(({ packages }) => packages))]);
  return { startedAt, machine, load, idle, versions, problems };
}

/**
 * Returns the rows with these names. Without names it returns all, or those of Holdfast when lengths of turns are asked for.
 * @throws Error that names a row that does not exist
 */
export function selectStreamsRows({
  only,
  seconds,
}: Pick<RunStreamsLoadOptions, 'only' | 'seconds'>): readonly StreamsLoadRow[] {
  const rows = only.length === 0 && seconds.length > 0 ? holdfastRows : streamsLoadRows;
  return selectRows(rows, only);
}

/**
 * Returns the loads of turns of so many seconds, or else those of so many conversations at once, or all loads when neither is
 * asked for.
 * @throws Error that names a number of conversations that no load has
 */
export function selectLoads({
  quick,
  atOnce,
  seconds,
}: Pick<RunStreamsLoadOptions, 'quick' | 'atOnce' | 'seconds'>): readonly LoadPlan[] {
  if (seconds.length > 0) return toLengthLoads({ quick, atOnce, seconds });
  const all = quick ? quickLoads : loads;
  const known = [...new Set(all.map(({ inFlight }) => inFlight))];
  const unknown = atOnce.find((count) => !known.includes(count));
  if (unknown !== undefined) {
    throw new Error(`--at is "${unknown}", expected some of ${known.join(', ')}.`);
  }
  return atOnce.length === 0 ? all : all.filter(({ inFlight }) => atOnce.includes(inFlight));
}

/** Yields the figures of each load as soon as they are there. */
async function* measureRow(
  row: StreamsLoadRow,
  plans: readonly LoadPlan[],
  options: PlaceOptions & { onIdle: (processorMs: Record<string, number>) => void },
): AsyncGenerator<LoadFigures> {
  const { say } = options;
  await using stack = new AsyncDisposableStack();
  say(`${row.name}: starting …`);
  const place = openPlace(options, stack);
  const target = await ('execution' in row
    ? startHoldfast(place, row.execution)
    : startStreamingPeer(place, row));
  // The first turns of a program are slower, since its code is compiled then.
  await runLoad(target, warmUp);
  // The turns of a second that has few of them bear much of what the programs use without any.
  if (plans.some(({ seconds }) => seconds !== undefined)) options.onIdle(await measureIdle(target));
  for (const plan of plans) {
    const length = plan.seconds === undefined ? '' : `, ${plan.seconds} s long`;
    say(`${row.name}: ${plan.inFlight} turns in flight${length}, ${plan.pieces} pieces`);
    yield await measureLoad(target, plan);
  }
}

async function startHoldfast(place: Place, execution: ExecutionMode): Promise<LoadTarget> {
  const stage = await startScaleStage(place, installations['dev-server']);
  if (stage === null) throw new Error('there is no development server of Temporal for this system');
  return toTarget(stage, execution);
}
