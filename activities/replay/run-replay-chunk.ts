import { Context } from '@temporalio/activity';
import type { ErrorInfo } from '../../src/domain/errors.ts';
import type { ReplayInput, RunLane } from '../../src/domain/replay.ts';
import type { ReplayCase, ReplayState, RunKey } from '../../src/db/replays/replay-case-repository.ts';
import { metered } from '../../src/lib/meter.ts';
import { compareRuns } from '../../src/replays/compare-runs.ts';
import type { ReplayChunk, ReplayChunkResult, ReplayPlace } from '../../workflows/contract/replay-steps.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { toKnownError } from '../failures.ts';
import { loadCase, runCase, toOriginalRun, type LoadedCase } from './run-case.ts';
import { runReplayStep } from './run-replay-step.ts';

/** A chunk ends after this time and leaves the rest to the next one, in milliseconds. */
const chunkMs = 60_000;

/**
 * Runs the cases of a chunk that are not stored yet, and stores each run when it has ended. Ends early when the replay is
 * paused or cancelled, has spent what it may, or when the chunk has taken long.
 */
export function createRunReplayChunk(dependencies: ActivityDependencies) {
  return (chunk: ReplayPlace & ReplayChunk): Promise<ReplayChunkResult> =>
    runReplayStep(async (signal) => {
      const { workspaceId, replayId, from, to } = chunk;
      const [replay, cases, stored] = await dependencies.pipelined(workspaceId, (repositories) =>
        Promise.all([
          repositories.replays.getReplay(replayId),
          repositories.replayCases.listCases(replayId, from, to),
          repositories.replayCases.listStoredKeys(replayId, from, to),
        ]),
      );
      const { input } = replay;
      const endsAt = Date.now() + chunkMs;
      const done = new Set(stored.map(toKeyText));
      for (const of of cases) {
        for (const key of listRuns(of, input).filter((one) => !done.has(toKeyText(one)))) {
          const state = await readState(dependencies, chunk);
          const isSpent = hasSpent(state, input);
          if (isSpent || state.status !== 'running')
            return { left: of.position, status: state.status, isSpent };
          if (Date.now() >= endsAt || dependencies.isShuttingDown())
            return { left: of.position, status: 'running', isSpent: false };
          await runAndStore(dependencies, { chunk, input, of, key, signal });
          Context.current().heartbeat(key);
        }
      }
      return { left: null, status: 'running', isSpent: false };
    });
}

function listRuns(
  { position }: ReplayCase,
  { baseline, repeats }: ReplayInput,
): (RunKey & { lane: RunLane })[] {
  const lanes: RunLane[] = baseline ? ['baseline', 'candidate'] : ['candidate'];
  return lanes.flatMap((lane) =>
    Array.from({ length: repeats }, (_, index) => ({ position, lane, repeat: index + 1 })),
  );
}

function toKeyText({ position, lane, repeat }: RunKey): string {
  return `${position}/${lane}/${repeat}`;
}

async function readState(
  { pipelined }: ActivityDependencies,
  { workspaceId, replayId }: ReplayPlace,
): Promise<ReplayState> {
  const state = await pipelined(workspaceId, ({ replayCases }) => replayCases.findState(replayId));
  return state ?? { status: 'cancelled', spentTokens: 0, spentUsd: 0 };
}

function hasSpent({ spentTokens, spentUsd }: ReplayState, { ceiling }: ReplayInput): boolean {
  return spentTokens >= (ceiling.tokens ?? Infinity) || spentUsd >= (ceiling.costUsd ?? Infinity);
}

interface RunOfChunk {
  chunk: ReplayPlace;
  input: ReplayInput;
  of: ReplayCase;
  key: RunKey & { lane: RunLane };
  signal: AbortSignal;
}

/** A run that fails is stored as failed: it stays in the denominator of every rate. */
async function runAndStore(dependencies: ActivityDependencies, asked: RunOfChunk): Promise<void> {
  const { chunk, of, key, signal } = asked;
  const { workspaceId, replayId } = chunk;
  const shared = { ...key, conversationId: of.conversationId };
  const { result, counts } = await metered(async () => {
    const loaded = await orError(signal, () => loadCase(dependencies, { ...chunk, input: asked.input, of }));
    if (loaded.value === null) return { loaded: null, ran: loaded };
    return {
      loaded: loaded.value,
      ran: await orError(signal, () => runLoaded(dependencies, loaded.value, asked)),
    };
  });
  const { loaded, ran } = result;
  const original = loaded && toOriginalRun(loaded);
  const run = loaded ? ran.value : null;
  const comparison = original && run ? compareRuns(original, run, asked.input.pass) : null;
  await dependencies.pipelined(workspaceId, ({ replayCases }) =>
    Promise.all([
      replayCases.storeRun(replayId, { ...shared, run, comparison, error: ran.error, outside: counts }),
      original &&
        replayCases.storeRun(replayId, {
          ...{ ...shared, lane: 'original', repeat: 1, run: original, comparison: null, error: null },
          outside: { connectionsOpened: 0, credentialsDecrypted: 0 },
        }),
    ]),
  );
}

type Attempted<Value> = { value: Value; error: null } | { value: null; error: ErrorInfo };

/** A database that is away, or a bug, is not the fault of a case: those errors are thrown, and the chunk is tried again. */
async function orError<Value>(signal: AbortSignal, run: () => Promise<Value>): Promise<Attempted<Value>> {
  try {
    return { value: await run(), error: null };
  } catch (error) {
    signal.throwIfAborted();
    const known = toKnownError(error);
    if (known.code === 'INTERNAL' || known.code === 'SERVICE_UNAVAILABLE') throw error;
    return { value: null, error: known.toInfo() };
  }
}

async function runLoaded(
  dependencies: ActivityDependencies,
  loaded: LoadedCase,
  { chunk, input, key, signal }: RunOfChunk,
) {
  const { agentVersionId } = input.candidate;
  const candidateVersion =
    agentVersionId === undefined ? null : await dependencies.getVersion(chunk.workspaceId, agentVersionId);
  const services = dependencies.replays.createServices({ ...chunk, input });
  return runCase(services, { loaded, ...key, candidateVersion, signal });
}
