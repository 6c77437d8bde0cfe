import type { ToolOf, ToolResult, ToolType } from '../../../domain/tool.ts';
import type { TurnWorkflowState } from '../../../domain/turn-status.ts';
import type { WorkflowState, WorkflowTargets } from '../../../domain/workflow-target.ts';
import type { CalledAgent, CallingTurn, NewChildTurn, WorkflowLink } from '../../../domain/child-turn.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { ToolEffect } from '../../../domain/tool.ts';
import type { Turn } from '../../../domain/turn.ts';
import type {
  AgentTurnInput,
  BeginToolCallInput,
  EndToolCallInput,
  SettleTurnInput,
  SettleTurnResult,
  ToolCallChild,
} from '../../../contract/turn-steps.ts';

interface ChildCallRepositories {
  childTurns: {
    findCallingTurn: (turnId: string) => Promise<CallingTurn | null>;
    findCalledAgent: (agentId: string) => Promise<CalledAgent | null>;
    /** Stores which workflow a call starts, before it is started. Returns false when the call has ended. */
    linkWorkflow: (link: WorkflowLink) => Promise<boolean>;
    /** Stores the turn that answers a call, unless it is stored. Returns null when the call or its turn is over. */
    createChildTurn: (child: NewChildTurn) => Promise<AgentTurnInput | null>;
  };
  turns: { getTurn: (id: string) => Promise<Turn> };
}

type UnitOfWork = <Result>(
  workspaceId: string,
  run: (repositories: ChildCallRepositories) => Promise<Result>,
) => Promise<Result>;

/** Services that calls need when they start a child. */
export interface ChildCallDependencies {
  /** One round trip: all statements have to be called before one of them is waited for. */
  pipelined: UnitOfWork;
  /** For statements that depend on each other. */
  transact: UnitOfWork;
  notifier: { events: (conversationId: string) => void };
  engine: {
    findTurnWorkflow: (turnId: string) => Promise<TurnWorkflowState>;
    readWorkflow: (options: {
      workflowId: string;
      waitMs: number;
      signal: AbortSignal;
    }) => Promise<WorkflowState>;
  };
  workflowTargets: Pick<WorkflowTargets, 'find'>;
  settleTurn: (input: SettleTurnInput) => Promise<SettleTurnResult>;
  /** Stops a turn whose caller no longer waits for it, with all turns below it. */
  stopTurn: (workspaceId: string, turnId: string) => Promise<void>;
}

/** The columns of the ledger that say whether a child was started. */
export interface StartedChildCall {
  child_turn_id: string | null;
  child_workflow_id: string | null;
}

/** A claimed call of a tool of one type: the columns of the ledger that the start and the end of a child need. */
export interface ClaimedCallOf<Type extends ToolType> extends StartedChildCall {
  id: string;
  workspace_id: string;
  conversation_id: string;
  turn_id: string;
  key: string;
  name: string;
  tool: ToolOf<Type>;
  effect: ToolEffect;
  arguments: JsonObject | null;
  /** The run of the turn's workflow that was about to start the child. */
  child_begun_by: string | null;
}

/** The end of a call that started a child; `unknown` when it cannot be found out whether it took effect. */
export type ChildCallEnd = ToolResult | { status: 'unknown'; reason: string };

/** A child that waits for people, so that the call has no end yet. */
export interface WaitingChild {
  status: 'waiting';
  turnId: string;
}

/** A call that is about to start its child. */
export interface BeginningCall<Type extends ToolType = ToolType> {
  call: ClaimedCallOf<Type>;
  input: BeginToolCallInput;
  /** The run of the turn's workflow that will start the child. */
  runId: string;
}

/** A call that was begun: with the child to start, or with its end when there is nothing to start. */
export type BegunCall = { child: ToolCallChild } | { end: ChildCallEnd };

/** A call whose child was started. */
export interface EndingCall<Type extends ToolType = ToolType> {
  call: ClaimedCallOf<Type>;
  input: EndToolCallInput;
  signal: AbortSignal;
}

/** Prepares the child of a call. */
export type BeginChildCall<Type extends ToolType> = (
  beginning: BeginningCall<Type>,
  dependencies: ChildCallDependencies,
) => Promise<BegunCall>;

/** Reads how the child of a call has ended. */
export type EndChildCall<Type extends ToolType> = (
  ending: EndingCall<Type>,
  dependencies: ChildCallDependencies,
) => Promise<ChildCallEnd | WaitingChild>;
