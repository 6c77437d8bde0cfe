import type { ExecutionMode } from './agent.ts';
import type { ErrorInfo } from './errors.ts';
import type { TurnLimits } from './limits.ts';
import type { FinishReason, Usage } from './model.ts';
import type { ToolType } from './tool.ts';
import type { ToolCallStatus } from './turn.ts';
import type { TurnOutcome } from './turn-status.ts';

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

/** The activities of a turn, as the workflow sees them. */
export interface TurnActivities {
  callModel(input: CallModelInput): Promise<CallModelResult>;
  executeToolCall(input: ExecuteToolCallInput): Promise<ExecuteToolCallResult>;
  settleTurn(input: SettleTurnInput): Promise<SettleTurnResult>;
}
