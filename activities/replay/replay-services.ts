import type { Actor } from '../../src/domain/actor.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { CallLanguageModel } from '../../src/domain/model.ts';
import type { ReplayInput } from '../../src/domain/replay.ts';
import type { Tool, ToolResult, ToolRun } from '../../src/domain/tool.ts';
import type { FindInnerCall } from '../../src/engines/tools/run-tool.ts';
import type { StepDependencies, StepTools } from '../step-dependencies.ts';

/** A call that a replay sends to its tool. */
export interface LiveCall {
  place: Pick<ToolRun, 'agentId' | 'conversationId' | 'turnId' | 'toolbox'>;
  call: { id: string; key: string };
  tool: Tool;
  input: JsonObject;
  signal: AbortSignal;
}

/** The parts that the live calls of a replay need besides their tools. */
export interface LiveAccess extends Pick<StepDependencies, 'getVersion' | 'transact'> {
  /**
   * Checks that the makers of the replay may still make live calls, and returns as whom they are made.
   * @throws HoldfastError `RIGHTS_LOST`
   */
  authorize: () => Promise<Actor>;
}

/** The tools of a replay that asks for live answers. */
export interface LiveTools extends LiveAccess {
  replayId: string;
  /** Finds the tool behind a gateway that a call is for; null for a call that is for none. */
  findInner: (call: LiveCall) => ReturnType<FindInnerCall>;
  run: (call: LiveCall) => Promise<ToolResult>;
}

/**
 * The services of a replay. There is nothing in them that could run a tool or open a connection, except `live` of a
 * replay that asks for live tools.
 */
export interface ReplayServices extends Pick<StepDependencies, 'pipelined' | 'logger' | 'partFiles'> {
  /** Reaches the address of the model and no other one. */
  callLanguageModel: CallLanguageModel;
  tools: Pick<StepTools, 'checksOf' | 'effectOf' | 'loadEffects' | 'summarize'>;
  live: LiveTools | null;
}

/** Creates the services of one run of a replay. */
export type CreateReplayServices = (replay: {
  workspaceId: string;
  /** Names its rate limit. */
  replayId: string;
  input: Pick<ReplayInput, 'toolAnswers' | 'onMiss' | 'modelCallsPerMinute'>;
  /** @default none: the replay makes no live calls */
  access?: LiveAccess;
}) => ReplayServices;

/** The dependencies of the activities that replay recorded turns. */
export interface ReplayStepDependencies extends StepDependencies {
  createServices: CreateReplayServices;
}
