import type { AgentVersion } from '../../src/domain/agent.ts';
import type { ErrorInfo } from '../../src/domain/errors.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { defaultLimits } from '../../src/domain/limits.ts';
import type { FinishReason, Usage } from '../../src/domain/model.ts';
import { noUsage } from '../../src/domain/usage.ts';
import { toPreview } from '../../src/domain/text.ts';
import type { Tool } from '../../src/domain/tool.ts';
import type { TurnOutcome } from '../../src/domain/turn-status.ts';
import { findToolType, type FindToolType } from '../../src/engines/tools/find-tool-type.ts';
import type { CallModelResult, RoutableToolCall } from '../../src/contract/turn-steps.ts';
import type { StepTools } from '../step-dependencies.ts';

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
  error?: ErrorInfo | null;
  toolCalls: StoredToolCall[];
}

/** The result of a model call for the workflow: enough to decide and to show, never the whole answer. */
export function toCallModelResult(
  answer: StoredAnswer,
  version: AgentVersion,
  summarize: StepTools['summarize'],
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
      ...(startsChild(call.tool) ? { startsChild: true } : {}),
      summary: summarize(call),
      argumentsPreview: toPreview(JSON.stringify(call.arguments ?? {})),
      timeoutMs: call.tool?.settings?.timeoutMs ?? timeoutMs,
    })),
    ...(answer.outcome === null ? {} : { outcome: answer.outcome }),
    ...(answer.error ? { error: answer.error } : {}),
  };
}

/** The result of a model call that was not made, since its context has to be summarized first. */
export const contextToSummarize: CallModelResult = {
  finishReason: 'other',
  usage: noUsage,
  textPreview: '',
  toolCalls: [],
  toSummarize: true,
};

/** Returns whether a call runs as a child workflow of its turn instead of an activity. */
export function startsChild(tool: Tool | null, find: FindToolType = findToolType): boolean {
  return tool !== null && find(tool.type)?.route === 'child';
}
