import type { ExecutionMode } from '../../src/domain/agent.ts';
import type { ErrorInfo } from '../../src/domain/errors.ts';
import type { TurnLimits } from '../../src/domain/limits.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { FinishReason, Usage } from '../../src/domain/model.ts';
import type { ToolType } from '../../src/domain/tool.ts';
import type { ToolCallStatus } from '../../src/domain/turn.ts';
import type { TurnOutcome } from '../../src/domain/turn-status.ts';

/** What `agentTurn` is started with: ids and limits, never messages. */
export interface AgentTurnInput {
  workspaceId: string;
  agentId: string;
  conversationId: string;
  turnId: string;
  /** The start of the message, for the Web UI. */
  messagePreview: string;
  model: string;
  execution: ExecutionMode;
  limits: Pick<TurnLimits, 'activityTimeoutMs' | 'turnTimeoutMs' | 'maxIterations'>;
  /** The turn whose tool call this one answers. */
  parentTurnId?: string;
}

/** How often `turnSweep` sweeps, and for how long; in milliseconds. */
export interface TurnSweepInput {
  intervalMs: number;
  durationMs: number;
}

/** What `agentTurn` ends with; the answer itself is in the database. */
export interface AgentTurnResult {
  outcome: TurnOutcome;
  iterations: number;
}

/** Names one step of a turn. `deadlineAt` is in epoch milliseconds. */
interface StepInput {
  workspaceId: string;
  conversationId: string;
  turnId: string;
  iteration: number;
  deadlineAt: number;
}

export interface CallModelInput extends StepInput {
  timeoutMs: number;
  /** `withheld` asks for an answer from what is known so far. */
  tools: 'offered' | 'withheld';
}

/** A tool call as the workflow needs to know it: what to route, and what to show. */
export interface RoutableToolCall {
  index: number;
  name: string;
  /** Null when the model asked for a tool that the agent does not have. */
  type: ToolType | null;
  /**
   * Set for a call that starts another workflow from workflow code. Answers in the histories of turns that began before
   * such calls existed do not have it; those turns run every call as a step.
   */
  startsChild?: true;
  summary: string;
  argumentsPreview: string;
  timeoutMs: number;
}

export interface CallModelResult {
  finishReason: FinishReason;
  usage: Usage;
  textPreview: string;
  toolCalls: RoutableToolCall[];
  /** Set when the answer ended the turn and the outcome is stored. */
  outcome?: TurnOutcome;
}

export interface ExecuteToolCallInput extends StepInput {
  index: number;
  timeoutMs: number;
}

export interface ExecuteToolCallResult {
  status: ToolCallStatus;
  resultPreview: string;
  durationMs: number;
  /** A rule stopped the call, and with it the turn. */
  endsTurn?: boolean;
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
  /** Its id is the answer; nobody waits for its end. */
  detach: boolean;
  /** How long its end is waited for; null for as long as the turn can. */
  timeoutMs: number | null;
  /** An earlier run of the turn has started it. */
  isStarted: boolean;
}

/** The turn of another agent that a tool call starts and waits for. */
export interface ChildTurn {
  type: 'agent';
  workflowId: string;
  start: AgentTurnInput;
}

/** What a tool call starts from workflow code: within an activity its end could not be waited for. */
export type ToolCallChild = ChildWorkflow | ChildTurn;

/** Either the call has ended before anything was started, or its child is to be started. */
export type BeginToolCallResult = { ended: ExecuteToolCallResult } | { child: ToolCallChild };

export interface EndToolCallInput extends StepInput {
  index: number;
  /** The first run of the child; null when it was started by somebody else. */
  runId: string | null;
  /** How long the child's end may still be waited for, in milliseconds; 0 when that is over. */
  waitMs: number;
  isDetached: boolean;
}

export interface SettleTurnInput {
  workspaceId: string;
  turnId: string;
  outcome: TurnOutcome;
  iterations: number;
  error?: ErrorInfo;
}

export interface SettleTurnResult {
  /** The stored outcome: the first one to be written stands. */
  outcome: TurnOutcome;
}
