import {
  createHoldfastClient,
  type HoldfastClient,
} from '../../src/clients/client/create-holdfast-client.ts';
import { describeMachine, type Machine } from '../machine.ts';
import { readProcessorTimes, toUsedTimes, type ProcessorTimes } from '../measure/processor-time.ts';
import { openPlace, type PlaceOptions } from '../place.ts';
import type { HistorySize, ProcedureOrder } from '../programs/contract.ts';
import { setStage, type Stage } from '../stage.ts';
import { procedureRows, type ProcedureRow } from './procedures.ts';

const rounds = 4;
const inFlight = 8;

/** The figures of one line. */
export interface ProcedureFigures {
  name: string;
  floors: readonly string[];
  /** Of one workflow at a time. */
  latenciesMs: number[];
  /** With 8 in flight. */
  perSecond: number;
  /** Processor seconds of each program for one workflow, with 8 in flight. */
  processorSeconds: ProcessorTimes;
  history: HistorySize;
}

/** The figures of routines beside bare workflows. */
export interface RoutineFigures {
  startedAt: string;
  machine: Machine;
  rows: ProcedureFigures[];
}

interface RunRoutinesOptions extends PlaceOptions {
  /** How many workflows each line measures one at a time, and as many with 8 in flight. */
  count: number;
  profile: string | undefined;
}

/** Runs routines of many steps and bare workflows of as many activities in turns, and measures both. */
export async function runRoutines({
  count,
  profile,
  ...options
}: RunRoutinesOptions): Promise<RoutineFigures> {
  const { say } = options;
  const startedAt = new Date().toISOString();
  const machine = describeMachine();
  await using stack = new AsyncDisposableStack();
  say('starting Postgres, Temporal, the API, the workers and a client (usually 20 seconds) …');
  const stage = await setStage(openPlace(options, stack), { engine: 'dev-server', profile });
  if (!stage) throw new Error('There is no Temporal server.');
  const client = createHoldfastClient({ baseUrl: stage.origin, apiKey: stage.seed.apiKey });
  const lines: Line[] = [];
  for (const row of procedureRows) lines.push(await openLine(stage, client, row));
  say('warming up …');
  for (const line of lines) await runBatch(line, { count: inFlight, inFlight });
  const perRound = Math.max(2, Math.ceil(count / rounds));
  for (let round = 1; round <= rounds; round += 1) {
    say(`round ${round} of ${rounds} …`);
    for (const line of lines) await measureLatency(line, perRound);
    for (const line of lines) await measureThroughput(stage, line, perRound * 2);
  }
  const rows = [];
  for (const line of lines) rows.push(await toFigures(stage, line));
  return { startedAt, machine, rows };
}

interface Line {
  row: ProcedureRow;
  kind: 'holdfast' | 'raw';
  worker: Stage['workers']['raw'];
  procedure: ProcedureOrder['procedure'];
  latenciesMs: number[];
  rates: number[];
  used: ProcessorTimes[];
  workflowId: string;
}

async function openLine({ workers, seed }: Stage, client: HoldfastClient, row: ProcedureRow): Promise<Line> {
  const empty = { row, latenciesMs: [], rates: [], used: [], workflowId: '' };
  if ('activities' in row.procedure)
    return { ...empty, kind: 'raw', worker: workers.raw, procedure: row.procedure };
  const { document } = row.procedure;
  const { id } = await client.routines.create({ agentId: seed.agentIds.inspectable, document });
  return { ...empty, kind: 'holdfast', worker: workers.holdfast, procedure: { routineId: id } };
}

function runBatch({ worker, procedure }: Line, order: { count: number; inFlight: number }) {
  return worker.ask('runProcedures', { procedure, ...order });
}

async function measureLatency(line: Line, count: number): Promise<void> {
  const { latenciesMs, workflowIds } = await runBatch(line, { count, inFlight: 1 });
  line.latenciesMs.push(...latenciesMs);
  line.workflowId = workflowIds[0] ?? '';
}

async function measureThroughput({ processes }: Stage, line: Line, count: number): Promise<void> {
  const timed = [
    { name: 'worker', pid: line.worker.process.pid },
    ...processes.filter(({ name }) => name === 'temporal' || name === 'postgres'),
  ];
  const before = readProcessorTimes(timed);
  const { perSecond } = await runBatch(line, { count, inFlight });
  const used = toUsedTimes(before, readProcessorTimes(timed));
  line.rates.push(perSecond);
  line.used.push(Object.fromEntries(Object.entries(used).map(([name, time]) => [name, time / count])));
}

async function toFigures({ client }: Stage, line: Line): Promise<ProcedureFigures> {
  const { row, latenciesMs, rates, used, workflowId } = line;
  const [history = { bytes: NaN, events: NaN }] = await client.ask('readHistories', [workflowId]);
  const names = Object.keys(used[0] ?? {});
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    ...{ name: row.name, floors: row.floors ?? [], latenciesMs, history },
    perSecond: mean(rates),
    processorSeconds: Object.fromEntries(
      names.map((name) => [name, mean(used.map((one) => one[name] ?? 0))]),
    ),
  };
}
