import type { ModelCall, ModelMessage } from '../../domain/model.ts';
import type { HostedVendor } from './model-vendor.ts';
import { findContentParts } from './provider-content.ts';

interface ReasoningOptions {
  vendor: Pick<HostedVendor, 'beginsWithReasoning'>;
  modelId: string;
}

/**
 * Returns a call without its effort where the model cannot reason: a model that wants its reasoning in front of the tool calls of
 * a turn refuses those that another model has made before it, and those of which no reasoning is kept.
 */
export function fitReasoning(call: ModelCall, { vendor, modelId }: ReasoningOptions): ModelCall {
  if (call.reasoningEffort === undefined || !vendor.beginsWithReasoning?.(modelId)) return call;
  const first = findFirstOfCalls(call.messages);
  if (!first || findContentParts(call.model, first.providerContent)?.[0]?.type === 'reasoning') return call;
  const fitted = { ...call };
  delete fitted.reasoningEffort;
  return fitted;
}

/** Returns the first of the answers at the end of a conversation that ask for tools; null when the last one asks for none. */
function findFirstOfCalls(messages: ModelMessage[]) {
  const answers = messages.filter((message) => message.role === 'assistant');
  const last = answers.findLastIndex(({ toolCalls }) => toolCalls.length === 0);
  return answers[last + 1] ?? null;
}
