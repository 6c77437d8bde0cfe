import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { RoutineLimits } from './routine-limits.ts';
import type { RoutineStep } from '../../domain/routine.ts';
import type { SecretLocation } from '../../domain/secret-reference.ts';
import type { RoutableToolCall } from '../../contract/turn-steps.ts';

/** Names a run of a routine in its workspace. Its id is also that of the turn that hosts its calls. */
export interface RoutineRef {
  workspaceId: string;
  runId: string;
  agentId: string;
  conversationId: string;
}

/** The input of `routineRun`. */
export interface RoutineRunInput extends RoutineRef {
  /** Set when the workflow continues as new: how far the run is. */
  progress?: RoutineProgress;
}

/** The state of a run that passes from one run of its workflow to the next: a path in the document, and the data. */
export interface RoutineProgress {
  context: JsonValue;
  startedAt: number;
  /** The number of the last step that began. */
  steps: number;
  isPaused: boolean;
  /** The state of each task that runs, as a tree. */
  root: JsonObject;
  /** The steps that run, and the last ones that ended. */
  shown: RoutineStep[];
}

/** The result of `routineRun`; the output is in the database. */
export interface RoutineRunResult {
  status: 'completed' | 'faulted' | 'cancelled';
}

/** How a run is stopped: after the steps that run, or at once. */
export type StopMode = 'graceful' | 'now';

/** The answer to the query for the status of a run: the steps that run, and the last ones that ended. */
export interface RoutineStatusAnswer {
  status: 'running' | 'paused' | 'stopping' | 'completed' | 'faulted' | 'cancelled';
  steps: RoutineStep[];
}

/** The signal that notifies a run of emitted events or, with the id of a run for which it waits, of the end of that run. */
export const routineSignal = 'routineWoken';

/** The names of the updates by which people control a run, and of the query for its status. */
export const routineMessages = {
  pause: 'pauseRoutine',
  resume: 'resumeRoutine',
  stop: 'stopRoutine',
  status: 'routineStatus',
} as const;

/** The result of `readRoutine`. */
export interface RoutineDefinition {
  name: string;
  version: number;
  document: JsonObject;
  input: JsonValue;
  /** Missing in what workers without limits have answered. */
  limits?: RoutineLimits;
}

/** The input of `evaluateExpressions`: jq programs, the value that `.` is for them, and the variables that they name. */
export interface EvaluateInput {
  workspaceId: string;
  programs: string[];
  dot: JsonValue;
  variables: JsonObject;
}

/** The result of `evaluateExpressions`: a value for each program, or what is wrong with one of them. */
export type EvaluateResult = { values: JsonValue[] } | { problem: string };

/** The input of `validateValue`. */
export interface ValidateInput {
  workspaceId: string;
  schema: JsonObject;
  value: JsonValue;
}

/** A call of a routine: the number of its step is that of the iteration in the ledger. */
export interface RoutineCallInput extends RoutineRef {
  step: number;
  call: string;
  arguments: JsonObject;
  /** The locations in the arguments that get secrets when the request is sent. @default none */
  secrets?: SecretLocation[];
  /** The time that the call has at most, in milliseconds; null for the limit of the agent. */
  timeoutMs: number | null;
}

/** The result of a call that has ended: its output, or the problem that it raises. */
export type RoutineCallEnd = { output: JsonValue } | { problem: JsonObject };

/**
 * The result of `callRoutineTool`: the end of the call, the action of a person that it waits for, or a tool call that starts
 * another workflow from workflow code.
 */
export type RoutineCallResult =
  RoutineCallEnd | { actionId: string } | { child: RoutableToolCall; timeoutMs: number };

/** The input of `readRoutineCall`. */
export interface ReadRoutineCallInput extends RoutineRef {
  step: number;
  call: string;
  arguments: JsonObject;
}

/** The result of `reviewRoutine`: the actions that a run waits for, and when to look again. */
export interface RoutineReview {
  pending: string[];
  /** In epoch milliseconds. */
  dueAt: number;
}

/** The input of `emitRoutineEvent`. */
export interface EmitInput extends RoutineRef {
  step: number;
  event: JsonObject;
}

/** The input of `readRoutineEvents`; `after` is null when the run begins to listen. */
export interface ReadEventsInput extends RoutineRef {
  after: number | null;
}

/** The result of `readRoutineEvents`: events, and the position after which to read on. */
export interface ReadEventsResult {
  position: number;
  events: JsonObject[];
}

/** The input of `startChildRun`. */
export interface StartChildRunInput extends RoutineRef {
  step: number;
  namespace: string;
  name: string;
  /** The version that the document of the routine gives itself. @default the newest */
  version?: string;
  input: JsonValue;
}

/** The result of `startChildRun`: the id of the run, or why none was started. */
export type StartChildRunResult = { runId: string } | { problem: JsonObject };

/** The result of `readChildRun`: how the run ended; null while it runs. */
export type ReadChildRunResult = RoutineCallEnd | null;

/** The input of `settleRoutine`. */
export interface SettleRoutineInput extends RoutineRef {
  status: 'completed' | 'faulted' | 'cancelled';
  output: JsonValue;
  error: JsonObject | null;
  steps: RoutineStep[];
  /** The mode of the stop request to the run; the runs below it are stopped in the same way. */
  stopped?: StopMode;
}

/** The activities of a run of a routine that take a moment. */
export interface BriefRoutineSteps {
  readRoutine: (run: RoutineRef) => Promise<RoutineDefinition>;
  storeRoutineSteps: (input: RoutineRef & { steps: RoutineStep[] }) => Promise<void>;
  /** Reads how a call has ended, from the ledger. */
  readRoutineCall: (input: ReadRoutineCallInput) => Promise<RoutineCallEnd>;
  /** Applies the time to the actions that a run waits for, and lists those that are left. */
  reviewRoutine: (run: RoutineRef) => Promise<RoutineReview>;
  /** Stores an event once, and wakes the runs that listen. */
  emitRoutineEvent: (input: EmitInput) => Promise<void>;
  /** Begins to listen, or reads the next events. */
  readRoutineEvents: (input: ReadEventsInput) => Promise<ReadEventsResult>;
  startChildRun: (input: StartChildRunInput) => Promise<StartChildRunResult>;
  readChildRun: (run: Pick<RoutineRef, 'workspaceId' | 'runId'>) => Promise<ReadChildRunResult>;
  noteRoutineStatus: (input: RoutineRef & { status: 'running' | 'paused' }) => Promise<void>;
  /** Stores how a run ended, and ends what it has started. */
  settleRoutine: (input: SettleRoutineInput) => Promise<void>;
}

/** The activities of a run of a routine that have no effect. */
export interface PureRoutineSteps {
  evaluateExpressions: (input: EvaluateInput) => Promise<EvaluateResult>;
  /** Returns what is wrong with a value, or null. */
  validateValue: (input: ValidateInput) => Promise<string | null>;
}

/** The activities of a run of a routine. */
export interface RoutineSteps extends BriefRoutineSteps, PureRoutineSteps {
  /** Makes a call under the ledger and the rules. A call that is recorded is not sent again. */
  callRoutineTool: (input: RoutineCallInput) => Promise<RoutineCallResult>;
}
