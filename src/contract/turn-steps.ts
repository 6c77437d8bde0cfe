import type { ExecutionMode } from '../domain/agent.ts';
import type { ErrorInfo } from '../domain/errors.ts';
import type { TurnLimits } from '../domain/limits.ts';
import type { JsonObject, JsonValue } from '../domain/json.ts';
import type { FinishReason, Usage } from '../domain/model.ts';
import type { ToolType } from '../domain/tool.ts';
import type { ToolCallStatus } from '../domain/turn.ts';
import type { TurnOutcome } from '../domain/turn-status.ts';

/** The input of `agentTurn`, `fastTurn` and `recordedTurn`: ids and limits, never messages. */
export interface AgentTurnInput {
  workspaceId: string;
  agentId: string;
  conversationId: string;
  turnId: string;
  /** For the Web UI. */
  agentName: string;
  /** The start of the message, for the Web UI. */
  messagePreview: string;
  /** The normal form of the name of the person for whom the turn acts, for the Web UI. Turns without a person have none. */
  person?: string;
  model: string;
  execution: ExecutionMode;
  /** Set for a turn that a worker may take and run without a workflow. */
  isUnowned?: true;
  limits: Pick<TurnLimits, 'activityTimeoutMs' | 'turnTimeoutMs' | 'absenceTimeoutMs' | 'maxIterations'>;
  /** The parent turn, when a tool call of it started this turn. */
  parentTurnId?: string;
  /** How long the turn may wait for its first step, and until when in epoch milliseconds. */
  startLimit?: { timeoutMs: number; until: number };
  /** The start of this run when it was continued from one that had waited, in epoch milliseconds. */
  freshRunAt?: number;
  /** How early its tasks come beside those of other turns. Ordinary turns have none. */
  priority?: { priorityKey: number; fairnessWeight?: number };
  /** The turn whose recorded results answer the tool calls of this one. Its type is `recordedTurn`. */
  recordedFrom?: string;
  /** Set in the runs of a turn after it has begun to wait for people. */
  paused?: PausedTurn;
  /** Set for a turn that has run without a workflow before. */
  begun?: BegunTurn;
}

/** The rest of a turn that has run without a workflow, and the time that its steps have left in milliseconds. */
export interface BegunTurn {
  rest: RestOfTurn;
  timeLeftMs: number;
  /** The worker that ran it, by the identity that Temporal shows; missing when it was lost. */
  worker?: string;
  /** The newest lines of what happened there, as Markdown for the Web UI. */
  lines?: string[];
}

/** The interval between the sweeps of `turnSweep`, or the removals of `recordRemoval`, and the duration of a run, in milliseconds. */
export interface TurnSweepInput {
  intervalMs: number;
  durationMs: number;
}

/** The result of `agentTurn`, `fastTurn` and `recordedTurn`; the answer itself is in the database. */
export interface AgentTurnResult {
  outcome: TurnOutcome;
  iterations: number;
}

/** Names one step of a turn. Its times are in epoch milliseconds. */
interface StepInput {
  workspaceId: string;
  conversationId: string;
  turnId: string;
  iteration: number;
  /** The end of the turn's time. */
  deadlineAt: number;
  /** The end of the time to which the absence of workers may extend `deadlineAt`; missing when it may not. */
  hardDeadlineAt?: number;
}

/** The part that the results of all steps share. */
export interface StepTime {
  /** The end of the turn's time when the absence of workers has extended it, in epoch milliseconds. */
  deadlineAt?: number;
}

export interface CallModelInput extends StepInput {
  timeoutMs: number;
  /** `withheld` offers no tools and asks for an answer from what is known so far. */
  tools: 'offered' | 'withheld';
  /** True when a summary is a separate step (`summarizeContext`). */
  summarizesApart?: true;
}

/** The input of `summarizeContext`: the model call whose context is too long. */
export interface SummarizeContextInput extends StepInput {
  timeoutMs: number;
}

/** The result of `summarizeContext`; the summaries themselves are in the database. */
export interface SummarizeContextResult extends StepTime {
  /** How many pieces of the conversation were summarized. */
  summaries: number;
  usage: Usage;
  /** The start of the last summary. */
  textPreview: string;
  /** Set when turns were left out, since no model has written a summary. */
  error?: ErrorInfo;
}

/** The part of a tool call that the workflow uses to route it and to show it. */
export interface RoutableToolCall {
  index: number;
  name: string;
  /** Null when the model asked for a tool that the agent does not have. */
  type: ToolType | null;
  /** Set for a call that starts another workflow from workflow code. */
  startsChild?: true;
  summary: string;
  argumentsPreview: string;
  timeoutMs: number;
}

export interface CallModelResult extends StepTime {
  finishReason: FinishReason;
  usage: Usage;
  textPreview: string;
  toolCalls: RoutableToolCall[];
  /** Set when the answer ended the turn and the outcome is stored. */
  outcome?: TurnOutcome;
  /** Set when the answer ended the turn with a failure. */
  error?: ErrorInfo;
  /** Set when the model was not called: the context has to be summarized first. */
  toSummarize?: true;
}

export interface ExecuteToolCallInput extends StepInput {
  index: number;
  timeoutMs: number;
}

export interface ExecuteToolCallResult extends StepTime {
  status: ToolCallStatus;
  resultPreview: string;
  durationMs: number;
  /** True when a rule blocked the call and ends the turn with it, or a budget did. */
  endsTurn?: boolean;
  /** The error with which the turn ends then. @default `TOOL_BLOCKED` */
  error?: ErrorInfo;
  /** Set for a call that waits for a person: the action that is to be decided. */
  actionId?: string;
}

/** A tool call that waits for a person. */
export interface WaitingCall {
  call: RoutableToolCall;
  actionId: string;
}

/** The tool calls of one iteration that a turn waits for. */
export interface WaitedFor {
  iteration: number;
  waiting: WaitingCall[];
}

/**
 * A turn that has begun to wait for people. Its runs alternate: one without a time limit waits, and one with the time
 * that the turn has left continues.
 */
export interface PausedTurn extends WaitedFor {
  /** The time that the steps of the turn have left, in milliseconds. */
  timeLeftMs: number;
  /** The actions that were decided; none for a run that waits. */
  decided: string[];
}

/** `timeLeftMs` is what the steps of the turn have left, and `reserveMs` the time for storing its outcome. */
export interface ReviewActionsInput {
  workspaceId: string;
  turnId: string;
  /** The actions that the turn waits for. */
  actionIds: string[];
  timeLeftMs: number;
  reserveMs: number;
}

/** A decision of a person. Its fields beside the action are those of the API, and are checked when it is stored. */
export interface ActionDecision {
  actionId: string;
  decision: string;
  arguments?: JsonObject;
  answer?: JsonValue;
  isError?: boolean;
  reason?: string;
  actingFor?: string;
}

export interface DecideActionInput {
  workspaceId: string;
  actionId: string;
  decision: Omit<ActionDecision, 'actionId'>;
}

/** The status that the decision has given the action. */
export interface DecideActionResult {
  status: string;
}

/** Those of the actions that are decided or over, and when time has to be applied to the others. */
export interface ReviewActionsResult {
  decided: string[];
  /** In epoch milliseconds. */
  dueAt: number;
}

export interface BeginToolCallInput extends StepInput {
  index: number;
}

/** A workflow that a tool call starts and waits for. */
export interface ChildWorkflow {
  type: 'workflow';
  workflowId: string;
  workflowType: string;
  taskQueue: string;
  input: JsonObject;
  summary: string;
  memo: Record<string, string>;
  /** True when the call returns the id of the workflow and does not wait for its end. */
  detach: boolean;
  /** How long the call waits for its end, in milliseconds; null for as long as the turn can. */
  timeoutMs: number | null;
  /** True when an earlier run of the turn has started it. */
  isStarted: boolean;
}

/** The turn of another agent that a tool call starts and waits for. */
export interface ChildTurn {
  type: 'agent';
  workflowId: string;
  start: AgentTurnInput;
}

/** The child of a tool call. Workflow code starts it, since an activity is too short to wait for its end. */
export type ToolCallChild = ChildWorkflow | ChildTurn;

/** The result of `beginToolCall`: the end of a call that starts nothing, or the child to start. */
export type BeginToolCallResult = ({ ended: ExecuteToolCallResult } | { child: ToolCallChild }) & StepTime;

export interface EndToolCallInput extends StepInput {
  index: number;
  /** The first run of the child; null when this run of the turn did not start it. */
  runId: string | null;
  /** How long the step may still wait for the child's end, in milliseconds; 0 for not at all. */
  waitMs: number;
  isDetached: boolean;
}

/** The activities before and after a tool call that starts another workflow. */
export interface ChildCallSteps {
  beginToolCall: (input: BeginToolCallInput) => Promise<BeginToolCallResult>;
  endToolCall: (input: EndToolCallInput) => Promise<ExecuteToolCallResult>;
}

/**
 * The part of a turn that is left: from the tool calls of an iteration, from those of them that wait for people, or,
 * without any, from its model call.
 */
export interface RestOfTurn {
  iteration: number;
  toolCalls?: RoutableToolCall[];
  waiting?: WaitingCall[];
  /** The number of tool calls of the iteration, with `waiting`. */
  calls?: number;
}

/** The input of `runTurn`: the steps from one iteration on. */
export interface RunTurnInput extends StepInput {
  model: string;
  limits: Pick<TurnLimits, 'activityTimeoutMs' | 'maxIterations'>;
  /** The start of the workflow task of a local activity, in epoch milliseconds. Only turns of the release before have it. */
  taskStartedAt?: number;
}

/** The input of `runRecordedTurn`. */
export interface RunRecordedTurnInput extends RunTurnInput {
  /** The turn whose recorded results answer the tool calls. */
  recordedFrom: string;
}

/** The result of `runTurn`: how the turn ended, or the rest of it. */
export interface RunTurnResult extends StepTime {
  /** The number of the last iteration that was begun. */
  iteration: number;
  /** Set when an answer ended the turn; it is stored. */
  ending?: TurnEnding;
  rest?: RestOfTurn;
  /** Set when the turn ended without an answer; it is not stored. */
  stopped?: TurnEnding;
  /** The newest lines of what happened, as Markdown for the Web UI. */
  lines: string[];
}

/** The outcome of a turn, with the error of one that failed. */
export interface TurnEnding {
  outcome: TurnOutcome;
  error?: ErrorInfo;
}

export interface SettleTurnInput {
  workspaceId: string;
  turnId: string;
  outcome: TurnOutcome;
  iterations: number;
  error?: ErrorInfo;
}

export interface SettleTurnResult {
  /** The stored outcome, which is the first one that was written. */
  outcome: TurnOutcome;
}
