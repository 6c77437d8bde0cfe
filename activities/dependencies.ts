import type { Logger } from 'pino';
import type { AgentVersion } from '../src/domain/agent.ts';
import type { FieldError } from '../src/domain/errors.ts';
import type { JsonObject } from '../src/domain/json.ts';
import type { CallLanguageModel } from '../src/domain/model.ts';
import type { Tool, ToolEffect, ToolExecutor, ToolType } from '../src/domain/tool.ts';
import type { AgentTurnInput } from '../src/domain/turn-steps.ts';
import type { StreamChunkWriter } from '../src/db/repositories/stream-chunk-writer.ts';
import type { SweepRepository } from '../src/db/repositories/sweep.ts';
import type { ToolCallRepository } from '../src/db/repositories/tool-calls.ts';
import type { TurnAnswerRepository } from '../src/db/repositories/turn-answers.ts';
import type { TurnContextRepository } from '../src/db/repositories/turn-context.ts';
import type { TurnRepository } from '../src/db/repositories/turns.ts';
import type { Notifier, Wakeups } from '../src/db/wakeups.ts';

/** What the steps of a turn read and write in one transaction. */
export interface StepRepositories {
  context: TurnContextRepository;
  answers: TurnAnswerRepository;
  toolCalls: ToolCallRepository;
}

type UnitOfWork<Repositories> = <Result>(
  workspaceId: string,
  run: (repositories: Repositories) => Promise<Result>,
) => Promise<Result>;

/** What the tools room offers to a turn. */
export interface ToolRoom {
  executors: Record<ToolType, ToolExecutor>;
  effectOf: (tool: Tool, input: JsonObject) => ToolEffect;
  checkArguments: (schema: JsonObject, input: JsonObject) => FieldError[];
  summarize: (name: string, input: JsonObject | null) => string;
}

/** How the activities reach the engine that runs them. */
export interface TurnEngine {
  startTurn: (input: AgentTurnInput) => Promise<void>;
  /** Whether the workflow of a turn runs, has ended, or was never heard of. */
  findTurnWorkflow: (turnId: string) => Promise<'running' | 'closed' | 'missing'>;
}

/** Everything that activities need from outside; built once in the worker's composition root. */
export interface ActivityDependencies {
  /** One round trip: all statements have to be called before one of them is waited for. */
  atOnce: UnitOfWork<StepRepositories>;
  /** For statements that depend on each other. */
  transact: UnitOfWork<StepRepositories>;
  /** Turns as their callers see them. */
  withTurns: UnitOfWork<TurnRepository>;
  getVersion: (workspaceId: string, versionId: string) => Promise<AgentVersion>;
  sweep: SweepRepository;
  appendChunks: StreamChunkWriter;
  callLanguageModel: CallLanguageModel;
  tools: ToolRoom;
  engine: TurnEngine;
  notifier: Notifier;
  wakeups: Pick<Wakeups, 'onStop'>;
  logger: Logger;
}
