import type { BenchRow } from '../rows.ts';

/** The task queue of the raw floor. */
export const rawTaskQueue = 'bench-raw';

/** The length of each text of a turn, in characters: user message, answer, tool arguments and tool result. */
export const messageCharacters = 1024;

/** The length of the tag at the start of a message, which identifies a turn. */
export const tagLength = 36;

/** How many rounds of tool calls a turn has. */
export const toolRounds = 3;

/** The steps of a turn: its model calls and its tool calls. */
export const turnSteps = 2 * toolRounds + 1;

/** The seeded rows of the database that the programs use. */
export interface Seed {
  workspaceId: string;
  apiKey: string;
  agentIds: Record<BenchRow['execution'], string>;
}

/** The input that a program gets before its first batch. */
export interface OpenOrder {
  seed: Seed;
  /** The address of the API. */
  origin: string;
}

/** The turns that a program submits: a number of them, or new ones for a duration. */
export interface BatchOrder {
  row: BenchRow;
  inFlight: number;
  turns?: number;
  durationMs?: number;
  /** The conversation of all turns; without it each turn has a new one. */
  conversationId?: string;
}

/** The result of a batch. Times are of the clock that all processes share. */
export interface BatchResult {
  turns: number;
  latenciesMs: number[];
  /** The time at which each turn was submitted, by its tag. */
  acceptedAt: Record<string, number>;
  /** From the first submission until the last end. */
  turnsPerSecond: number;
  workflowIds: string[];
}

/** The size of a workflow's history. */
export interface HistorySize {
  bytes: number;
  events: number;
}

/** The memory of a process after a garbage collection, in bytes. */
export interface MemoryUse {
  resident: number;
  heap: number;
}

/** The requests of a program that submits turns. */
export interface SubmitRequests {
  open: (order: OpenOrder) => Promise<void>;
  createConversation: (execution: BenchRow['execution']) => Promise<string>;
  runBatch: (order: BatchOrder) => Promise<BatchResult>;
}

/** The requests that a client program answers. */
export interface ClientRequests extends SubmitRequests {
  readHistories: (workflowIds: string[]) => Promise<HistorySize[]>;
}

/** The request about the memory of a worker program. */
export interface MeasuredRequests {
  measureMemory: () => Promise<MemoryUse>;
}

/** The request about when turns began. */
export interface FirstStepRequests {
  /** Returns when the first step of each turn since the last call began, by the tag of the turn. */
  takeFirstSteps: () => Promise<Record<string, number>>;
}

/** The requests that a worker program answers, which also submits turns to itself. */
export interface WorkerRequests extends SubmitRequests, FirstStepRequests, MeasuredRequests {}

/** The requests that the model of the scale measurement answers. */
export interface ModelRequests extends FirstStepRequests {
  readUrl: () => Promise<string>;
  /** Sets in how many pieces each answer is streamed. */
  setPieces: (count: number) => Promise<void>;
  /**
   * Sets how long the model calls of a turn take together on average, in seconds: each takes from half of to one and a half
   * times a quarter of that. Null for calls of 0.2 to 2 s, those of one turn about equally long.
   */
  setTurnSeconds: (seconds: number | null) => Promise<void>;
}

/** Conversations over HTTP, each with one turn at a time and with its event stream open. */
export interface LoadOrder {
  origins: string[];
  apiKey: string;
  agentId: string;
  /** The number of conversations. */
  inFlight: number;
  /** The time over which the conversations begin, in milliseconds. @default 0 */
  spreadMs?: number;
}

/** A turn that ended. Times are of the clock that all processes share. */
export interface LoadTurn {
  tag: string;
  outcome: string;
  sentAt: number;
  /** The time at which the API answered that the turn is stored. */
  acceptedAt: number;
  /** The time at which the end of the turn arrived on the stream. */
  endedAt: number;
  /** How long after the model wrote it the first piece of each answer arrived, in milliseconds. */
  firstPiecesMs: number[];
  /** The same for the later pieces. */
  laterPiecesMs: number[];
  /** How many pieces the finished messages of the turn have. */
  storedPieces: number;
}

/** The requests that the load of the scale measurement answers. */
export interface LoadRequests {
  start: (order: LoadOrder) => Promise<void>;
  /** Returns the turns that have ended since the last call. */
  take: () => Promise<LoadTurn[]>;
  /** Lets running turns end. Rejects when one of the conversations failed. */
  stop: () => Promise<void>;
}
