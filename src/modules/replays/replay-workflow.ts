import {
  ActivityFailure,
  ApplicationFailure,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  isCancellation,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import {
  casesPerChunk,
  replaySignal,
  type BatchReplayInput,
  type ReplayChunk,
  type ReplayPlan,
  type ReplayProgress,
  type SettleReplayInput,
} from './replay-contract.ts';
import { createReplaySteps } from './replay-steps-workflow.ts';
import { toReplayDetails } from './replay-details-contract.ts';

/** The query that asks the workflow of a replay how far it is. */
const replayProgress = defineQuery<ReplayProgress>('replayProgress');

/** Notifies the workflow of a replay that it was paused, resumed or cancelled. */
const replayWoken = defineSignal(replaySignal);

/** After so many chunks the workflow continues as new: each takes about six events of its history. */
const chunksPerRun = 400;

/** The state of the chunks of a replay. */
interface Batch {
  /** The first case of the next chunk that has not begun. */
  next: number;
  /** The cases that chunks left when they ended early. */
  left: ReplayChunk[];
  begun: number;
}

/**
 * Replays the cases of a batch in chunks, several at a time. Every run of a case is stored, so that a chunk that is run again
 * continues after what is stored; pausing and cancelling are stored too, and a signal only wakes the workflow.
 */
export async function batchReplay(input: BatchReplayInput): Promise<ReplayProgress> {
  const { from = 0, ...ref } = input;
  const steps = createReplaySteps();
  const progress: ReplayProgress = { cases: null, done: from, status: 'planning' };
  setHandler(replayProgress, () => progress);
  try {
    await runBatch(input, progress, steps);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    // A step that fails in every attempt, such as one whose replay names an agent version that is gone.
    progress.status = 'failed';
    const { cause } = error;
    const code = cause instanceof ApplicationFailure && cause.type != null ? { code: cause.type } : {};
    await steps.settleReplay({ ...ref, status: 'failed', error: cause?.message ?? error.message, ...code });
  }
  return progress;
}

/** Runs all that is left of a batch, and stores how it ended. */
async function runBatch(
  { from = 0, ...ref }: BatchReplayInput,
  progress: ReplayProgress,
  steps: ReturnType<typeof createReplaySteps>,
): Promise<void> {
  let wakes = 0;
  setHandler(replayWoken, () => {
    wakes += 1;
  });
  const plan = await steps.planReplay(ref);
  const batch: Batch = { next: from, left: [], begun: 0 };
  Object.assign(progress, { cases: plan.cases, status: 'running' });
  const show = () => setCurrentDetails(toReplayDetails(plan, progress));
  show();

  const runLane = async (): Promise<void> => {
    for (let chunk = takeChunk(batch, plan); chunk; chunk = takeChunk(batch, plan)) {
      const { left, status, isSpent } = await steps.runReplayChunk({ ...ref, ...chunk });
      progress.done += (left ?? chunk.to) - chunk.from;
      if (left !== null) batch.left.push({ from: left, to: chunk.to });
      progress.status = isSpent ? 'stopped' : status;
      show();
      if (progress.status !== 'running') return;
    }
  };

  for (;;) {
    const before = wakes;
    progress.status = 'running';
    await Promise.all(Array.from({ length: plan.concurrency }, runLane));
    const { status } = await steps.readReplay(ref);
    if (!isStopped(progress)) progress.status = status;
    show();
    if (progress.status === 'paused') {
      await condition(() => wakes > before);
      continue;
    }
    if (progress.status !== 'running') break;
    if (batch.left.length === 0 && batch.next >= plan.cases) break;
    if (batch.begun >= chunksPerRun)
      await continueAsNew<typeof batchReplay>({ ...ref, from: firstLeft(batch) });
  }
  progress.status = toEnd(progress.status);
  await steps.settleReplay({ ...ref, status: progress.status });
  show();
}

/** Takes what an earlier chunk left, or the next chunk; null when there is none in this run of the workflow. */
function takeChunk(batch: Batch, { cases }: ReplayPlan): ReplayChunk | null {
  if (batch.begun >= chunksPerRun) return null;
  const chunk = batch.left.shift() ?? { from: batch.next, to: Math.min(cases, batch.next + casesPerChunk) };
  if (chunk.from >= chunk.to) return null;
  batch.begun += 1;
  batch.next = Math.max(batch.next, chunk.to);
  return chunk;
}

function isStopped({ status }: ReplayProgress): boolean {
  return status === 'stopped';
}

function firstLeft({ left, next }: Batch): number {
  return Math.min(next, ...left.map(({ from }) => from));
}

function toEnd(status: ReplayProgress['status']): SettleReplayInput['status'] {
  return status === 'stopped' || status === 'cancelled' || status === 'failed' ? status : 'completed';
}
