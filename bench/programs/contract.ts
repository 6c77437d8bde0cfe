import type { BenchRow } from '../rows.ts';

/** The task queue of the raw floor. */
export const rawTaskQueue = 'bench-raw';

/** What one turn says, in characters: the user, the model, the arguments and the result of its tool. */
export const messageCharacters = 1024;

/** How many rounds of tool calls a turn has; with the model's calls that makes seven steps. */
export const toolRounds = 3;

/** What the programs know of the database. */
export interface Seed {
  workspaceId: string;
  apiKey: string;
  agentIds: Record<BenchRow['execution'], string>;
}

/** What the client needs before its first batch. */
export interface OpenOrder {
  seed: Seed;
  /** The address of the API. */
  origin: string;
}

/** Turns that a client runs: so many, or for so long once the pipes are full. */
export interface BatchOrder {
  row: BenchRow;
  inFlight: number;
  turns?: number;
  durationMs?: number;
  /** All turns in this conversation; without it each turn has a new one. */
  conversationId?: string;
}

/** What came of a batch. Times are of the clock that all processes share. */
export interface BatchResult {
  turns: number;
  latenciesMs: number[];
  /** When each turn was handed in, by its tag. */
  acceptedAt: Record<string, number>;
  /** Over the ordered duration, once as many turns have ended as are in flight; 0 without a duration. */
  turnsPerSecond: number;
  workflowIds: string[];
}

/** How large the history of a workflow is. */
export interface HistorySize {
  bytes: number;
  events: number;
}

/** What a process holds, in bytes, after everything that can be collected was. */
export interface MemoryUse {
  resident: number;
  heap: number;
}

/** What a client program answers. */
export interface ClientRequests {
  open: (order: OpenOrder) => Promise<void>;
  createConversation: (execution: BenchRow['execution']) => Promise<string>;
  runBatch: (order: BatchOrder) => Promise<BatchResult>;
  readHistories: (workflowIds: string[]) => Promise<HistorySize[]>;
}

/** What a worker program answers. */
export interface WorkerRequests {
  /** When the first step of each turn since the last call began, by the tag of the turn. */
  takeFirstSteps: () => Promise<Record<string, number>>;
  measureMemory: () => Promise<MemoryUse>;
}
