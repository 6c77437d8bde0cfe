import type { Config } from '../../src/main/config.ts';
import { toBareEnvironment } from '../../src/main/dev/bare-environment.ts';
import { startEmbeddedPostgres } from '../../src/main/dev/embedded-postgres.ts';
import type { Say } from '../../src/main/dev/say.ts';
import { describeMachine, type Machine } from '../machine.ts';
import type { TimedProcess } from '../measure/processor-time.ts';
import { makeFolder } from '../place.ts';
import { startProgram } from '../programs/program.ts';
import { peerRows, selectRows, withoutTelemetry, type PeerRow } from './catalogue.ts';
import type { PeerRequests } from './contract.ts';
import { installPeers } from './install-peers.ts';
import { measurePeer, type PeerFigures, type PeerPlan, type PeerStage } from './measure-peer.ts';

interface RunPeersOptions {
  quick: boolean;
  /** The names of rows; empty for all. */
  only: readonly string[];
  config: Config;
  say: Say;
  signal: AbortSignal;
}

/** The figures of one comparison. */
export interface PeersFigures {
  startedAt: string;
  quick: boolean;
  machine: Machine;
  rows: PeerFigures[];
  /** The rows that could not be measured, with the reasons. */
  problems: string[];
}

const fullPlan: PeerPlan = {
  warmUpTurns: 200,
  latency: { turns: 200, durationMs: 6_000 },
  throughput: { inFlight: [8, 32], durationMs: 6_000 },
  growth: { positions: [50, 200], turns: 11, durationMs: 60_000 },
};

const quickPlan: PeerPlan = {
  warmUpTurns: 60,
  latency: { turns: 40, durationMs: 2_000 },
  throughput: { inFlight: [8, 32], durationMs: 2_000 },
  growth: { positions: [50], turns: 11, durationMs: 10_000 },
};

/**
 * Measures the rows one after the other, each with a new server and a new database. A row that fails, or whose packages
 * cannot be installed, is listed among the problems.
 */
export async function runPeers(options: RunPeersOptions): Promise<PeersFigures> {
  const startedAt = new Date().toISOString();
  const machine = describeMachine();
  const selected = selectRows(peerRows, options.only);
  const figures: PeerFigures[] = [];
  const problems: string[] = [];
  const findMissing = await installPeers(selected, options);
  for (const row of selected) {
    const missing = findMissing(row.packages);
    if (missing.length > 0) {
      problems.push(`${row.name}: ${missing.join(', ')} could not be installed`);
      continue;
    }
    try {
      const measured = await measureRow(row, options);
      figures.push(measured);
      options.say(toProgressLine(measured));
    } catch (error) {
      // The figures of other rows are kept.
      if (options.signal.aborted) throw error;
      problems.push(`${row.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { startedAt, quick: options.quick, machine, rows: figures, problems };
}

function toProgressLine({ row, medianMs, turnsPerSecond }: PeerFigures): string {
  const rates = Object.entries(turnsPerSecond).map(
    ([flight, rate]) => `${rate.toFixed(0)} turns/s at ${flight}`,
  );
  return `${row}: ${medianMs.toFixed(1)} ms, ${rates.join(', ')}`;
}

async function measureRow(row: PeerRow, options: RunPeersOptions): Promise<PeerFigures> {
  const { config, say } = options;
  await using stack = new AsyncDisposableStack();
  const folder = makeFolder(config.dataDir, stack);
  say(`${row.name}: starting …`);
  const stage = await setPeerStage(row, { ...options, folder, stack });
  say(`${row.name}: measuring …`);
  return await measurePeer(stage, row.name, options.quick ? quickPlan : fullPlan);
}

interface StageOptions extends RunPeersOptions {
  folder: string;
  stack: AsyncDisposableStack;
}

async function setPeerStage(row: PeerRow, options: StageOptions): Promise<PeerStage> {
  const { config, say, signal, folder, stack } = options;
  const { environment, cacheDir, temporalCli } = config;
  const processes: TimedProcess[] = [];
  let databaseUrl = '';
  if (row.usesPostgres) {
    const postgres = await startEmbeddedPostgres({ dataDir: folder, environment, say, preferredPort: 0 });
    stack.defer(postgres.stop);
    databaseUrl = postgres.url;
    processes.push({ name: 'postgres', pid: postgres.process.pid, withChildren: true });
  }
  const program = await startProgram<PeerRequests>({
    name: row.name,
    file: 'bench/peers/program.ts',
    folder,
    environment: { ...toBareEnvironment(environment), ...withoutTelemetry },
    signal,
  });
  stack.defer(async () => {
    await program.process.stop();
  });
  processes.push({ name: 'program', pid: program.process.pid });
  const { module, settings } = row;
  const started = await program.ask('open', {
    ...{ module, settings, databaseUrl, folder, cacheDir, temporalCli },
  });
  // A program that has failed may not answer.
  stack.defer(() => program.ask('close').catch(() => undefined));
  return { databaseUrl, program, processes: [...processes, ...started] };
}
