import type { ToolOf, ToolResult, ToolType } from '../../domain/tool.ts';
import type { TurnWorkflowState } from '../../domain/turn-status.ts';
import type { WorkflowState, WorkflowTargets } from '../../domain/workflow-target.ts';
import type { ChildTurnRepository } from '../../db/turns/child-turn-repository.ts';
import type { ClaimedToolCall } from '../../db/turns/tool-call-repository.ts';
import type { TurnRepository } from '../../db/turns/turn-repository.ts';
import type { Notifier } from '../../db/wakeups.ts';
import type {
  BeginToolCallInput,
  EndToolCallInput,
  SettleTurnInput,
  SettleTurnResult,
  ToolCallChild,
} from '../../../workflows/contract/turn-steps.ts';

interface ChildCallRepositories {
  childTurns: ChildTurnRepository;
  turns: Pick<TurnRepository, 'getTurn'>;
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
  notifier: Pick<Notifier, 'events'>;
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
  /** Stops a turn that nobody waits for any more, with all below it. */
  stopTurn: (workspaceId: string, turnId: string) => Promise<void>;
}

/** A claimed call of a tool of one type. */
export type ClaimedCallOf<Type extends ToolType> = Omit<ClaimedToolCall, 'tool'> & { tool: ToolOf<Type> };

/** The end of a call that started a child; `unknown` when nobody can tell whether it took effect. */
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

/** The columns of the ledger that say whether a child was started. */
export type StartedChildCall = Pick<ClaimedToolCall, 'child_turn_id' | 'child_workflow_id'>;

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
