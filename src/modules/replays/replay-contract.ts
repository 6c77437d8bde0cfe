import type { ReplayStatus } from '../../domain/replay.ts';

/** Names a replay in its workspace. */
export interface ReplayRef {
  workspaceId: string;
  replayId: string;
}

/** The id of the workflow of a replay. */
export function toReplayWorkflowId({ replayId }: Pick<ReplayRef, 'replayId'>): string {
  return `replay-${replayId}`;
}

/** The signal that notifies the workflow of a replay of a change of its stored status. It has no arguments. */
export const replaySignal = 'replayWoken';

/** The task queue of replays. It is not that of turns, so that no turn waits behind a replay. */
export function toReplayTaskQueue(taskQueue: string): string {
  return `${taskQueue}-replays`;
}

/** The input of `batchReplay`. */
export interface BatchReplayInput extends ReplayRef {
  /** The first case that may be left to run; set when the workflow continues as new. */
  from?: number;
}

/** The result of `planReplay`. */
export interface ReplayPlan {
  name: string;
  cases: number;
  /** How many chunks run at the same time. */
  concurrency: number;
}

/** A range of cases by their positions; `to` is not part of it. */
export interface ReplayChunk {
  from: number;
  to: number;
}

/** The number of cases of one chunk. */
export const casesPerChunk = 10;

/** The result of `runReplayChunk`. */
export interface ReplayChunkResult {
  /** The first case that is left to run; null when the chunk is done. */
  left: number | null;
  status: ReplayStatus;
  /** True when the replay has spent what it may. */
  isSpent: boolean;
}

/** The input of `settleReplay`. */
export interface SettleReplayInput extends ReplayRef {
  status: 'completed' | 'stopped' | 'cancelled' | 'failed';
  /** The message of the error that ended the replay, and its code. @default INTERNAL */
  error?: string;
  code?: string;
}

/** The activities of the workflow that replays a batch of recorded turns. */
export interface ReplaySteps {
  /** Selects the cases of a replay once. */
  planReplay: (replay: ReplayRef) => Promise<ReplayPlan>;
  readReplay: (replay: ReplayRef) => Promise<{ status: ReplayStatus }>;
  /** Runs the cases of a chunk that are not stored yet, for a limited time. */
  runReplayChunk: (chunk: ReplayRef & ReplayChunk) => Promise<ReplayChunkResult>;
  /** Stores how a replay ended, with the summary of its runs. */
  settleReplay: (input: SettleReplayInput) => Promise<void>;
}

/** How far a replay is. */
export interface ReplayProgress {
  cases: number | null;
  /** Cases all of whose runs are stored. */
  done: number;
  status: 'planning' | ReplayStatus;
}
