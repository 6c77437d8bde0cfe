import type { JsonObject } from '../../src/domain/json.ts';
import type { CallLanguageModel } from '../../src/domain/model.ts';
import type { ReplayInput } from '../../src/domain/replay.ts';
import type { Tool, ToolResult, ToolRun } from '../../src/domain/tool.ts';
import type { NewToolCall } from '../../src/db/turns/turn-answer-repository.ts';
import type { ActivityDependencies, ToolServices } from '../activity-dependencies.ts';

/** A call that a replay sends to its tool. */
export interface LiveCall {
  place: Pick<ToolRun, 'agentId' | 'conversationId' | 'turnId' | 'connectors' | 'agentTools'>;
  call: NewToolCall;
  tool: Tool;
  input: JsonObject;
  signal: AbortSignal;
}

/**
 * The services of a replay. There is nothing in them that could run a tool or open a connection, except `runLive` of a
 * replay that asks for live tools.
 */
export interface ReplayServices extends Pick<ActivityDependencies, 'pipelined' | 'logger'> {
  /** Reaches the address of the model and no other one. */
  callLanguageModel: CallLanguageModel;
  tools: Pick<ToolServices, 'checksOf' | 'effectOf' | 'summarize'>;
  runLive: ((call: LiveCall) => Promise<ToolResult>) | null;
}

/** Creates the services of one run of a replay. */
export type CreateReplayServices = (replay: {
  workspaceId: string;
  replayId: string;
  input: ReplayInput;
}) => ReplayServices;
