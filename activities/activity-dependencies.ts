import type { Logger } from 'pino';
import type { AgentVersion } from '../src/domain/agent.ts';
import type {
  DocumentGeneration,
  DocumentIngestion,
  StartIngestion,
} from '../workflows/contract/document-steps.ts';
import type { FieldError } from '../src/domain/errors.ts';
import type { JsonObject } from '../src/domain/json.ts';
import type { CallLanguageModel } from '../src/domain/model.ts';
import type { Tool, ToolEffect, ToolExecutor } from '../src/domain/tool.ts';
import type { AgentTurnInput } from '../workflows/contract/turn-steps.ts';
import type { WorkflowState, WorkflowTargets } from '../src/domain/workflow-tool.ts';
import type { ChildTurnRepository } from '../src/db/turns/child-turn-repository.ts';
import type { StreamChunkWriter } from '../src/db/turns/stream-chunk-writer.ts';
import type { DocumentSweepRepository } from '../src/db/knowledge/document-sweep-repository.ts';
import type { SweepRepository } from '../src/db/turns/turn-sweep-repository.ts';
import type { ToolCallRepository } from '../src/db/turns/tool-call-repository.ts';
import type { TurnAnswerRepository } from '../src/db/turns/turn-answer-repository.ts';
import type { TurnContextRepository } from '../src/db/turns/turn-context-repository.ts';
import type { TurnRepository } from '../src/db/turns/turn-repository.ts';
import type { Notifier, Wakeups } from '../src/db/wakeups.ts';
import type { TurnDependencies } from '../src/turns/turn-dependencies.ts';
import type { SummarizableCall } from '../src/tools/tool-summary.ts';

/** What the steps of a turn read and write in one transaction. */
export interface StepRepositories {
  context: TurnContextRepository;
  answers: TurnAnswerRepository;
  toolCalls: ToolCallRepository;
  childTurns: ChildTurnRepository;
  turns: TurnRepository;
}

type UnitOfWork<Repositories> = <Result>(
  workspaceId: string,
  run: (repositories: Repositories) => Promise<Result>,
) => Promise<Result>;

/** What the tools room offers to a turn. */
export interface ToolServices {
  run: ToolExecutor;
  effectOf: (tool: Tool, input: JsonObject) => ToolEffect;
  checkArguments: (schema: JsonObject, input: JsonObject) => FieldError[];
  summarize: (call: SummarizableCall) => string;
}

/** What is needed to make documents searchable. */
export interface DocumentServices {
  ingestion: DocumentIngestion;
  sweep: DocumentSweepRepository;
  engine: {
    startIngestion: StartIngestion;
    /** Whether the workflow of a document runs, has ended, or was never heard of. */
    findIngestion: (document: DocumentGeneration) => Promise<'running' | 'closed' | 'missing'>;
  };
}

/** How the activities reach the engine that runs them. */
export interface TurnEngine {
  startTurn: (input: AgentTurnInput) => Promise<void>;
  /** Whether the workflow of a turn runs, has ended, or was never heard of. */
  findTurnWorkflow: (turnId: string) => Promise<'running' | 'closed' | 'missing'>;
  /** Asks a turn to stop; does nothing when its workflow has ended or was never started. */
  cancelTurn: (turnId: string) => Promise<void>;
  /** Asks a workflow to stop; does nothing when it has ended or was never started. */
  cancelWorkflow: (workflowId: string) => Promise<void>;
  /** Waits for the end of a workflow for as long as is given, in milliseconds, and says how it stands then. */
  readWorkflow: (options: {
    workflowId: string;
    waitMs: number;
    signal: AbortSignal;
  }) => Promise<WorkflowState>;
}

/** Everything that activities need from outside; built once in the worker's composition root. */
export interface ActivityDependencies {
  /** One round trip: all statements have to be called before one of them is waited for. */
  pipelined: UnitOfWork<StepRepositories>;
  /** For statements that depend on each other. */
  transact: UnitOfWork<StepRepositories>;
  /** What the use cases of turns need. */
  turns: TurnDependencies;
  getVersion: (workspaceId: string, versionId: string) => Promise<AgentVersion>;
  sweep: SweepRepository;
  appendChunks: StreamChunkWriter;
  callLanguageModel: CallLanguageModel;
  tools: ToolServices;
  /** What tools of type `workflow` start. */
  workflowTargets: WorkflowTargets;
  engine: TurnEngine;
  documents: DocumentServices;
  notifier: Notifier;
  wakeups: Pick<Wakeups, 'onStop'>;
  logger: Logger;
}
