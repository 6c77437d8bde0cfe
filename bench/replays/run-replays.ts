import { setTimeout as sleep } from 'node:timers/promises';
import {
  createHoldfastClient,
  type HoldfastClient,
} from '../../src/clients/client/create-holdfast-client.ts';
import type { Say } from '../../src/main/dev/say.ts';
import { describeMachine, type Machine } from '../machine.ts';
import {
  readMemory,
  toMemoryFigures,
  type MemoryFigures,
  type MemorySample,
} from '../measure/measure-memory.ts';
import { openPlace, type PlaceOptions } from '../place.ts';
import { rows, type BenchRow } from '../rows.ts';
import { setStage, type Stage } from '../stage.ts';

const warmUpTurns = 50;
const recordingInFlight = 32;
const concurrency = 8;
const liveMs = 10_000;
const liveRounds = 3;
const memorySamples = 10;
const pollMs = 100;

/** Enough repeats for a replay to run for as long as live turns are measured beside it. */
const mostRepeats = 20;

/** The figures of replays of recorded turns. */
export interface ReplayFigures {
  startedAt: string;
  machine: Machine;
  /** How many recorded turns were replayed. */
  count: number;
  /** Fast turns a second, with as many in flight as when the turns were recorded. */
  liveTurnsPerSecond: number;
  replaysPerSecond: number;
  memory: MemoryFigures;
  /** Latencies of live direct turns, one at a time, alone and while a replay runs. */
  live: { alone: number[]; besideReplay: number[] };
}

interface RunReplaysOptions extends PlaceOptions {
  count: number;
}

/** Records turns, replays them, and measures the speed, the memory and the effect of a replay on live turns. */
export async function runReplays({ count, ...options }: RunReplaysOptions): Promise<ReplayFigures> {
  const { say } = options;
  const startedAt = new Date().toISOString();
  const machine = describeMachine();
  await using stack = new AsyncDisposableStack();
  say('starting Postgres, Temporal, the API and two workers (usually 20 seconds) …');
  const place = openPlace(options, stack);
  const stage = await setStage(place, { engine: 'dev-server', profile: undefined, replayWorker: true });
  if (!stage) throw new Error('There is no Temporal server.');
  const measured = await measure(stage, count, say);
  return { startedAt, machine, count, ...measured };
}

async function measure(stage: Stage, count: number, say: Say) {
  const row = rows.find(({ name }) => name === 'direct');
  if (!row) throw new Error('there is no row of direct turns');
  const client = createHoldfastClient({ baseUrl: stage.origin, apiKey: stage.seed.apiKey });
  await runTurns(stage, row, { inFlight: recordingInFlight, turns: warmUpTurns });
  say(`recording ${count} turns …`);
  const recorded = await runTurns(stage, row, { inFlight: recordingInFlight, turns: count });
  const replayed = await measureReplay(stage, client, say);
  say('measuring live turns, alone and beside a replay …');
  const live = await measureLive(stage, client, row);
  return { liveTurnsPerSecond: recorded.turnsPerSecond, ...replayed, live };
}

function runTurns(
  { workers }: Stage,
  row: BenchRow,
  order: { inFlight: number; turns?: number; durationMs?: number },
) {
  return workers.holdfast.ask('runBatch', { row, ...order });
}

/** Starts a replay of all recorded turns with the version that recorded them. */
async function startReplay({ seed }: Stage, client: HoldfastClient, repeats = 1): Promise<string> {
  const { id } = await client.replays.create({
    selection: { agentId: seed.agentIds.direct },
    ...{ baseline: false, concurrency, repeats },
  });
  return id;
}

async function measureReplay(stage: Stage, client: HoldfastClient, say: Say) {
  const id = await startReplay(stage, client);
  let replay = await client.replays.get(id);
  while (replay.cases === null) {
    await sleep(pollMs);
    replay = await client.replays.get(id);
  }
  const { cases } = replay;
  const begun = { at: performance.now(), done: replay.runs.done };
  say(`replaying ${cases} turns …`);
  const memory: MemorySample[] = [];
  while (replay.runs.done < cases) {
    await sleep(pollMs);
    replay = await client.replays.get(id);
    if (replay.runs.done < ((memory.length + 1) * cases) / memorySamples) continue;
    memory.push(await readMemory(stage.replayWorker, replay.runs.done));
  }
  const seconds = (performance.now() - begun.at) / 1000;
  while (replay.settledAt === null) {
    await sleep(pollMs);
    replay = await client.replays.get(id);
  }
  if (replay.runs.failed > 0 || replay.status !== 'completed') {
    throw new Error(`The replay is ${replay.status}, and ${replay.runs.failed} runs have failed.`);
  }
  return { replaysPerSecond: (cases - begun.done) / seconds, memory: toMemoryFigures(memory) };
}

/** Takes turns, so that the machine is the same for both. */
async function measureLive(
  stage: Stage,
  client: HoldfastClient,
  row: BenchRow,
): Promise<ReplayFigures['live']> {
  const live: ReplayFigures['live'] = { alone: [], besideReplay: [] };
  for (let round = 0; round < liveRounds; round += 1) {
    const alone = await runTurns(stage, row, { inFlight: 1, durationMs: liveMs });
    live.alone.push(...alone.latenciesMs);
    const id = await startReplay(stage, client, mostRepeats);
    const beside = await runTurns(stage, row, { inFlight: 1, durationMs: liveMs });
    live.besideReplay.push(...beside.latenciesMs);
    const { settledAt } = await client.replays.get(id);
    if (settledAt !== null)
      throw new Error('The replay ended before the live turns beside it were measured.');
    await client.replays.cancel(id);
    while ((await client.replays.get(id)).settledAt === null) await sleep(pollMs);
  }
  return live;
}
