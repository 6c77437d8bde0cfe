import { defineSearchAttributeKey, type Priority, TypedSearchAttributes } from '@temporalio/common';
import { searchAttributeNames } from './search-attributes.ts';
import type { AgentTurnInput } from './turn-steps.ts';
import { toTurnWorkflowId } from './submission.ts';

const keys = {
  workspace: defineSearchAttributeKey(searchAttributeNames.workspace, 'KEYWORD'),
  agent: defineSearchAttributeKey(searchAttributeNames.agent, 'KEYWORD'),
  conversation: defineSearchAttributeKey(searchAttributeNames.conversation, 'KEYWORD'),
};

/** The search attribute with the outcome of a turn. */
export const outcomeKey = defineSearchAttributeKey(searchAttributeNames.outcome, 'KEYWORD');

/** The time after which a workflow task of a dead worker is given to another one, in milliseconds. */
const workflowTaskTimeout = 5_000;

/** The options with which every program starts the workflow of a turn: id, limits and search attributes. */
export function toTurnOptions(input: AgentTurnInput) {
  return {
    workflowId: toTurnWorkflowId(input.turnId),
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
    workflowRunTimeout: input.limits.turnTimeoutMs,
    workflowTaskTimeout,
    staticSummary: input.messagePreview,
    ...(input.parentTurnId === undefined ? {} : { memo: { parentTurnId: input.parentTurnId } }),
    priority: { fairnessKey: input.workspaceId } satisfies Priority,
    typedSearchAttributes: new TypedSearchAttributes([
      { key: keys.workspace, value: input.workspaceId },
      { key: keys.agent, value: input.agentId },
      { key: keys.conversation, value: input.conversationId },
    ]),
  };
}
