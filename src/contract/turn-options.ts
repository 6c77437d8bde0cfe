import { defineSearchAttributeKey, type Priority, TypedSearchAttributes } from '@temporalio/common';
import { searchAttributeNames } from './search-attributes.ts';
import type { AgentTurnInput } from './turn-steps.ts';
import { toTurnWorkflowId } from './submission.ts';

const keys = {
  workspace: defineSearchAttributeKey(searchAttributeNames.workspace, 'KEYWORD'),
  agent: defineSearchAttributeKey(searchAttributeNames.agent, 'KEYWORD'),
  conversation: defineSearchAttributeKey(searchAttributeNames.conversation, 'KEYWORD'),
  agentName: defineSearchAttributeKey(searchAttributeNames.agentName, 'KEYWORD'),
  message: defineSearchAttributeKey(searchAttributeNames.message, 'KEYWORD'),
  person: defineSearchAttributeKey(searchAttributeNames.person, 'KEYWORD'),
};

/** The search attribute with the outcome of a turn. */
export const outcomeKey = defineSearchAttributeKey(searchAttributeNames.outcome, 'KEYWORD');

/** The time after which a workflow task of a dead worker is given to another one, in milliseconds. */
const workflowTaskTimeout = 5_000;

/** The most characters of a text in a search attribute; Temporal on SQL stores 255. */
const listedCharacters = 100;

/**
 * The search attributes that show the agent's name, the start of the message and the person in lists of the Web UI. Temporal
 * stores search attributes in plain, so turns whose payloads are encrypted have none.
 */
export function toListedAttributes({
  agentName,
  messagePreview,
  person,
}: AgentTurnInput): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: keys.agentName, value: agentName.slice(0, listedCharacters) },
    { key: keys.message, value: messagePreview.slice(0, listedCharacters) },
    ...(person === undefined ? [] : [{ key: keys.person, value: person.slice(0, listedCharacters) }]),
  ]);
}

/** The options with which every program starts the workflow of a turn: id, limits and search attributes. */
export function toTurnOptions(input: AgentTurnInput) {
  return {
    workflowId: toTurnWorkflowId(input.turnId),
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
    workflowRunTimeout: input.limits.turnTimeoutMs + input.limits.absenceTimeoutMs,
    workflowTaskTimeout,
    staticSummary: input.messagePreview,
    ...(input.parentTurnId === undefined ? {} : { memo: { parentTurnId: input.parentTurnId } }),
    priority: { fairnessKey: input.workspaceId, ...input.priority } satisfies Priority,
    typedSearchAttributes: new TypedSearchAttributes([
      { key: keys.workspace, value: input.workspaceId },
      { key: keys.agent, value: input.agentId },
      { key: keys.conversation, value: input.conversationId },
    ]),
  };
}

/** Returns the workflow type of a turn: each way to run its steps has its own type. */
export function toTurnType({
  execution,
  recordedFrom,
}: Pick<AgentTurnInput, 'execution' | 'recordedFrom'>): 'agentTurn' | 'fastTurn' | 'recordedTurn' {
  if (recordedFrom !== undefined) return 'recordedTurn';
  return execution === 'inspectable' ? 'agentTurn' : 'fastTurn';
}
