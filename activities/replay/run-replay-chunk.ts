import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { toCreditPart } from '../../src/domain/credits.ts';
import type { ErrorInfo } from '../../src/domain/errors.ts';
import { toRowScope, type RowScope } from '../../src/domain/row-scope.ts';
import type { Comparison, Judged, ReplayInput, ReplayRun, RunLane } from '../../src/domain/replay.ts';
import type {
  ChargedRun,
  EndedRun,
  ReplayCase,
  ReplayState,
  RunKey,
} from '../../src/modules/replays/replay-case-repository.ts';
import { metered } from '../../src/platform/lib/meter.ts';
import { compareRuns } from '../../src/modules/replays/compare/compare-runs.ts';
import type {
  ReplayChunk,
  ReplayChunkResult,
  ReplayRef,
  ReplaySteps,
} from '../../src/modules/replays/replay-contract.ts';
import { actForReplay, createLiveAccess } from './act-for-replay.ts';
import type { LiveAccess, ReplayServices, ReplayStepDependencies } from './replay-services.ts';
import { toKnownError } from '../../src/platform/activity/failures.ts';
import { meterModel } from './budgeted-model.ts';
import { judgeRun } from './judge-run.ts';
import { loadCase, runCase, toOriginalRun, type LoadedCase } from './run-case.ts';
import { runReplayStep } from './run-replay-step.ts';

/** A chunk ends after this time and leaves the rest to the next one, in milliseconds. */
const chunkMs = 60_000;

/**
 * Runs the cases of a chunk that are not stored yet, and stores each run when it has ended. Ends early when the replay is
 * paused or cancelled, has spent what it may, or when the chunk has taken long.
 */
export function createRunReplayChunk(dependencies: ReplayStepDependencies): ReplaySteps['runReplayChunk'] {
  return (chunk) =>
    runReplayStep(async (signal) => {
      const { cases, done, state, ...replay } = await readChunk(dependencies, chunk);
      const { input } = replay;
      const rows = toRowScope(await actForReplay(dependencies, { ...chunk, ...replay }, 'replays.run'));
      const access = createLiveAccess(dependencies, { ...chunk, ...replay });
      const progress = { state, endsAt: Date.now() + chunkMs };
      for (const of of cases) {
        const keys = listRuns(of, input).filter((key) => !done.has(toKeyText(key)));
        const early = await runKeys(
          dependencies,
          { chunk, input, rows, access, of, signal },
          { keys, progress },
        );
        if (early) return early;
      }
      return { left: null, status: 'running', isSpent: false };
    });
}

async function readChunk({ pipelined }: ReplayStepDependencies, chunk: ReplayRef & ReplayChunk) {
  const { workspaceId, replayId, from, to } = chunk;
  const [replay, cases, stored, state] = await pipelined(workspaceId, ({ replays, replayCases }) =>
    Promise.all([
      replays.getMade(replayId),
      replayCases.listCases(replayId, from, to),
      replayCases.listStoredKeys(replayId, from, to),
      replayCases.findState(replayId),
    ]),
  );
  const { input, makers, name } = replay;
  return { input, makers, name, cases, done: new Set(stored.map(toKeyText)), state };
}

type KeyOfRun = RunKey & { lane: RunLane };

/**
 * Lists the runs of a case. Every other case begins with the candidate: the lane that runs second finds the caches of the model
 * filled, so that a fixed order would make one version cheaper and faster than the same version.
 */
function listRuns({ position }: ReplayCase, { baseline, repeats }: ReplayInput): KeyOfRun[] {
  const both: RunLane[] = position % 2 === 0 ? ['baseline', 'candidate'] : ['candidate', 'baseline'];
  const lanes: RunLane[] = baseline ? both : ['candidate'];
  return lanes.flatMap((lane) =>
    Array.from({ length: repeats }, (_, index) => ({ position, lane, repeat: index + 1 })),
  );
}

function toKeyText({ position, lane, repeat }: RunKey): string {
  return `${position}/${lane}/${repeat}`;
}

interface CaseOfChunk {
  chunk: ReplayRef;
  input: ReplayInput;
  /** The rows that all makers of the replay see. */
  rows: RowScope;
  access: LiveAccess;
  of: ReplayCase;
  signal: AbortSignal;
}

interface ChunkRun {
  keys: KeyOfRun[];
  /** The state of the replay after the last run, and when the chunk leaves the rest, in epoch milliseconds. */
  progress: { state: ReplayState; endsAt: number };
}

/** Runs a case in its lanes; returns the end of the chunk when it ends before they are done. */
async function runKeys(
  dependencies: ReplayStepDependencies,
  asked: CaseOfChunk,
  { keys, progress }: ChunkRun,
): Promise<ReplayChunkResult | null> {
  const { chunk, input, rows, of, signal } = asked;
  const place = { ...chunk, input, rows, of };
  const timer = { busyMs: 0 };
  const load = () => timed(timer, () => loadCase(dependencies, place));
  const loaded = keys.length > 0 ? await orError(signal, load) : null;
  for (const key of keys) {
    const { status } = progress.state;
    const isSpent = hasSpent(progress.state, input);
    const isLate = Date.now() >= progress.endsAt || dependencies.shutdown.aborted;
    if (isSpent || isLate || status !== 'running') return { left: of.position, status, isSpent };
    if (loaded) {
      const state = await runWithinBudgets(dependencies, {
        ...asked,
        loaded,
        key,
        timer,
        isBudgeted: progress.state.budgeted,
      });
      if (!state) return { left: of.position, status, isSpent: true };
      progress.state = state;
    }
    await leaveRoom(timer, signal);
    Context.current().heartbeat(key);
  }
  return null;
}

/** How long the database was at work for a case since the last pause, in milliseconds. */
interface DatabaseTimer {
  busyMs: number;
}

async function timed<Result>(timer: DatabaseTimer, run: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  try {
    return await run();
  } finally {
    timer.busyMs += performance.now() - startedAt;
  }
}

/** The pause for each millisecond of the database, and the longest one, in milliseconds. */
const pauseForEachMs = 2;
const longestPauseMs = 1_000;

/** Pauses for longer than the database was busy: unlike the process, its sessions have no low priority beside live turns. */
async function leaveRoom(timer: DatabaseTimer, signal: AbortSignal): Promise<void> {
  const pauseMs = Math.min(longestPauseMs, pauseForEachMs * timer.busyMs);
  timer.busyMs = 0;
  await sleep(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
}

function hasSpent({ spentTokens, spentUsd }: ReplayState, { ceiling }: ReplayInput): boolean {
  return spentTokens >= (ceiling.tokens ?? Infinity) || spentUsd >= (ceiling.costUsd ?? Infinity);
}

type Attempted<Value> = { value: Value; error: null } | { value: null; error: ErrorInfo };

/** A database that is unreachable, or a bug, is not the fault of a case: those errors are thrown, and the chunk is tried again. */
async function orError<Value>(signal: AbortSignal, run: () => Promise<Value>): Promise<Attempted<Value>> {
  try {
    return { value: await run(), error: null };
  } catch (error) {
    signal.throwIfAborted();
    const known = toKnownError(error);
    const isOfReplay = known.code === 'RIGHTS_LOST' || isOverBudget(known);
    if (known.code === 'INTERNAL' || known.code === 'SERVICE_UNAVAILABLE' || isOfReplay) throw error;
    return { value: null, error: known.toInfo() };
  }
}

interface RunOfChunk extends CaseOfChunk {
  loaded: Attempted<LoadedCase>;
  key: KeyOfRun;
  timer: DatabaseTimer;
  isBudgeted: boolean;
}

function isOverBudget({ code }: Pick<ErrorInfo, 'code'>): boolean {
  return code === 'BUDGET_EXCEEDED' || code === 'PRICE_UNKNOWN';
}

/** Runs a case unless a call of it would break a budget of the workspace; then null, and what it has reserved is given back. */
async function runWithinBudgets(
  dependencies: ReplayStepDependencies,
  asked: RunOfChunk,
): Promise<ReplayState | null> {
  try {
    return await runAndStore(dependencies, asked);
  } catch (error) {
    const known = toKnownError(error);
    if (!isOverBudget(known)) throw error;
    const { workspaceId, replayId } = asked.chunk;
    dependencies.logger.warn({ replayId, err: known }, 'a budget has stopped a replay');
    await dependencies.pipelined(workspaceId, ({ credits }) =>
      credits.release({ sourceId: replayId, part: toCreditPart(asked.key) }),
    );
    return null;
  }
}

const nothingOutside = { connectionsOpened: 0, credentialsDecrypted: 0 };

/** A run that fails is stored as failed: it stays in the denominator of every rate. */
async function runAndStore(dependencies: ReplayStepDependencies, asked: RunOfChunk): Promise<ReplayState> {
  const { chunk, of, key, loaded } = asked;
  const shared = { ...key, conversationId: of.conversationId };
  const original = loaded.value && toOriginalRun(loaded.value);
  const { services, charge } = createMeteredServices(dependencies, asked);
  const { result, counts } = await metered(() => makeRun(dependencies, { ...asked, services }, original));
  const runs: ChargedRun[] = [{ ...shared, ...result, outside: counts, charge: charge() }];
  if (original) {
    const recorded = { ...shared, lane: 'original' as const, repeat: 1, run: original };
    runs.unshift({ ...recorded, comparison: null, error: null, outside: nothingOutside, charge: null });
  }
  return timed(asked.timer, () => storeRuns(dependencies, chunk, runs));
}

async function makeRun(
  dependencies: ReplayStepDependencies,
  asked: RunOfChunk & { services: ReplayServices },
  original: ReplayRun | null,
): Promise<Pick<EndedRun, 'run' | 'comparison' | 'error'>> {
  const { chunk, input, key, loaded, of, signal } = asked;
  if (!loaded.value || !original) return { run: null, comparison: null, error: loaded.error };
  const { services } = asked;
  const ran = await orError(signal, () =>
    runLoaded(dependencies, services, { ...asked, case: loaded.value }),
  );
  if (!ran.value) return { run: null, comparison: null, error: ran.error };
  const comparison = compareRuns(original, ran.value, input.pass);
  if (!input.judge) return { run: ran.value, comparison, error: null };
  const question = {
    ...{ workspaceId: chunk.workspaceId, judge: input.judge, prices: input.prices, signal },
    ...{ original, run: ran.value, key: [chunk.replayId, of.position, key.lane, key.repeat].join('/') },
  };
  // A judge that does not answer is no fault of the run.
  const { value: judged } = await orError(signal, () => judgeRun(services, question));
  return { run: ran.value, comparison: judged ? withJudgement(comparison, judged) : comparison, error: null };
}

/** Creates the services of a run, and the function that returns what its model calls have cost. */
function createMeteredServices(dependencies: ReplayStepDependencies, asked: RunOfChunk) {
  const { chunk, input, access, of, key, isBudgeted } = asked;
  const services = dependencies.createServices({ ...chunk, input, access });
  const { pipelined } = dependencies;
  const { agentVersionId = null } = key.lane === 'candidate' ? input.candidate : {};
  const [turnId = chunk.replayId] = of.turnIds;
  const counted = { agentVersionId, turnId };
  const run = { ...chunk, pipelined, isBudgeted, part: toCreditPart(key), lane: key.lane, of: counted };
  const { callModel, readCost } = meterModel(services.callLanguageModel, run);
  return {
    services: { ...services, callLanguageModel: callModel },
    charge: () => ({ ...counted, ...readCost() }),
  };
}

const judgeScores: Record<Judged['verdict'], number> = { better: 1, tie: 0.5, worse: 0 };

function withJudgement(comparison: Comparison, judged: Judged): Comparison {
  return { ...comparison, judged, scores: { ...comparison.scores, judge: judgeScores[judged.verdict] } };
}

async function storeRuns(
  { pipelined }: ReplayStepDependencies,
  { workspaceId, replayId }: ReplayRef,
  runs: ChargedRun[],
): Promise<ReplayState> {
  const [state] = await pipelined(workspaceId, ({ replayCases }) => {
    // Statements of one transaction run in the order in which they are called.
    const stored = runs.map((run) => replayCases.storeRun(replayId, run));
    return Promise.all([replayCases.findState(replayId), ...stored]);
  });
  return state;
}

async function runLoaded(
  dependencies: ReplayStepDependencies,
  services: ReplayServices,
  { chunk, input, key, signal, case: loaded }: RunOfChunk & { case: LoadedCase },
): Promise<ReplayRun> {
  const { agentVersionId } = input.candidate;
  const candidateVersion =
    agentVersionId === undefined ? null : await dependencies.getVersion(chunk.workspaceId, agentVersionId);
  return runCase(services, { loaded, ...key, candidateVersion, signal });
}
