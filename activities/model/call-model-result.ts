import type { AgentVersion } from '../../src/domain/agent.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { defaultLimits } from '../../src/domain/limits.ts';
import type { FinishReason, Usage } from '../../src/domain/model.ts';
import { toPreview } from '../../src/domain/text.ts';
import type { Tool, ToolType } from '../../src/domain/tool.ts';
import type { TurnOutcome } from '../../src/domain/turn-status.ts';
import type { CallModelResult, RoutableToolCall } from '../../workflows/contract/turn-steps.ts';
import type { ToolServices } from '../activity-dependencies.ts';

interface StoredToolCall {
  index: number;
  name: string;
  tool: Tool | null;
  arguments: JsonObject | null;
}

interface StoredAnswer {
  text: string;
  finishReason: FinishReason;
  usage: Usage;
  outcome: TurnOutcome | null;
  toolCalls: StoredToolCall[];
}

/** Which way each type of tool runs: as a step of its turn, or as a workflow that its turn starts. */
const startsChild: Record<ToolType, boolean> = {
  mcp: false,
  function: false,
  knowledge_base: false,
  workflow: true,
  agent: true,
};

/** What the workflow is told of a stored answer: enough to decide and to show, never the whole. */
export function toCallModelResult(
  answer: StoredAnswer,
  version: AgentVersion,
  summarize: ToolServices['summarize'],
): CallModelResult {
  const timeoutMs = version.limits.activityTimeoutMs ?? defaultLimits.activityTimeoutMs;
  return {
    finishReason: answer.finishReason,
    usage: answer.usage,
    textPreview: toPreview(answer.text, 500),
    toolCalls: answer.toolCalls.map((call): RoutableToolCall => ({
      index: call.index,
      name: call.name,
      type: call.tool?.type ?? null,
      ...(call.tool && startsChild[call.tool.type] ? { startsChild: true } : {}),
      summary: summarize(call.name, call.arguments),
      argumentsPreview: toPreview(JSON.stringify(call.arguments ?? {})),
      timeoutMs: call.tool?.settings?.timeoutMs ?? timeoutMs,
    })),
    ...(answer.outcome === null ? {} : { outcome: answer.outcome }),
  };
}
