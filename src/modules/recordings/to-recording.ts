import type {
  CallPart,
  CompactionPart,
  MessagePart,
  RecordedConversation,
  TurnParts,
  UsagePart,
} from './recording-repository.ts';
import { type TurnRow } from '../turns/turn-rows.ts';
import { toUsage } from '../credits/usage-columns.ts';
import type { AgentVersion } from '../../domain/agent.ts';
import { withheldNote } from '../../domain/model-context.ts';
import { withSkillList } from '../../domain/skill-tools.ts';
import { isAllowed } from '../../engines/rules/allowlist.ts';
import { toModelTool } from '../../domain/model-tool.ts';
import {
  recordingVersion,
  type RecordedCall,
  type RecordedCompaction,
  type RecordedStep,
  type RecordedTool,
  type Recording,
} from '../../domain/recording.ts';
import { isSettled, type TurnOutcome } from '../../domain/turn-status.ts';
import type { JsonObject } from '../../domain/json.ts';

/** A stored turn that has ended. */
export interface StoredTurn {
  conversation: RecordedConversation;
  version: AgentVersion;
  turn: TurnRow;
  parts: TurnParts;
}

/** Returns a stored turn as a line of a file, with the rules but without canary tokens. */
export function toRecording({ conversation, version, turn, parts }: StoredTurn): Recording {
  const { messages } = parts;
  const [first] = messages;
  return {
    schemaVersion: recordingVersion,
    conversation: {
      id: conversation.id,
      title: conversation.title,
      tags: conversation.tags,
      createdAt: conversation.createdAt.toISOString(),
    },
    agent: toAgent(version),
    tools: toTools(version),
    turn: toTurn(turn, conversation, messages),
    message: first ? toMessage(first) : { id: null, text: '', parts: null },
    steps: messages.flatMap((message) => {
      const usage = parts.usage.find(({ iteration }) => iteration === message.iteration);
      return message.role === 'assistant' && usage ? [toStep(message, usage, parts)] : [];
    }),
    compactions: parts.compactions.map(toCompaction),
  };
}

function toMessage({ id, text, parts }: MessagePart): Recording['message'] {
  return { id, text, parts };
}

function toAgent(version: AgentVersion): Recording['agent'] {
  const rules = Object.entries(version.rules).filter(([name]) => name !== 'canaryTokens');
  return {
    id: version.agentId,
    versionId: version.id,
    name: version.name,
    version: version.version,
    model: version.model,
    instructions: toInstructions(version),
    limits: version.limits,
    rules: Object.fromEntries(rules) as JsonObject,
    toolCallsInText: version.toolCallsInText,
  };
}

/** The instructions as the model got them: a program that imports them has no skills. */
function toInstructions(version: AgentVersion): string {
  const { rules, tools } = version;
  return withSkillList(
    version,
    tools.filter(({ name }) => isAllowed(rules, [name])),
  );
}

function toTools({ tools }: AgentVersion): RecordedTool[] {
  return tools.flatMap((tool) =>
    tool.settings?.enabled === false
      ? []
      : [{ ...toModelTool(tool), type: tool.type, effect: tool.settings?.effect ?? null }],
  );
}

function toTurn(
  turn: TurnRow,
  conversation: RecordedConversation,
  messages: MessagePart[],
): Recording['turn'] {
  // A turn that no answer of the model has ended has a message without a finish reason at its end.
  const closing = messages.find(({ role, finishReason }) => role === 'assistant' && finishReason === null);
  const parentTurnId = turn.parent_turn_id;
  return {
    id: turn.id,
    ordinal: turn.ordinal,
    outcome: toOutcome(turn),
    error: turn.error,
    answer: turn.answer,
    responseSchema: turn.response_schema,
    answerJson: turn.answer_json,
    closing: closing?.text ?? null,
    iterations: turn.iterations,
    usage: toUsage(turn),
    hidden: conversation.hiddenOrdinals.includes(turn.ordinal),
    parent: parentTurnId === null ? null : { turnId: parentTurnId, toolCallId: turn.parent_tool_call_id },
    createdAt: turn.created_at.toISOString(),
    startedAt: turn.started_at?.toISOString() ?? null,
    settledAt: turn.settled_at?.toISOString() ?? null,
  };
}

function toOutcome({ status }: TurnRow): Exclude<TurnOutcome, 'steered'> {
  if (isSettled(status) && status !== 'steered') return status;
  throw new Error(`a turn that is ${status} has no recording`);
}

function toStep(message: MessagePart, usage: UsagePart, { messages, calls }: TurnParts): RecordedStep {
  const { iteration } = message;
  const steered = messages.filter((one) => one.steeredOrdinal > 0 && one.iteration === iteration - 1);
  return {
    iteration,
    messages: steered.map(toMessage),
    toolChoice: usage.tool_choice,
    leftOut: usage.left_out ?? [],
    addedInstructions: usage.tool_choice === 'none' ? withheldNote : null,
    sampling: usage.sampling,
    contextFrom: usage.context_from,
    model: usage.model,
    answeredBy: usage.answered_by,
    text: message.text,
    refused: message.refused,
    finishReason: message.finishReason ?? 'other',
    providerContent: message.providerContent,
    usage: toUsage(usage),
    createdAt: message.createdAt.toISOString(),
    toolCalls: calls.filter((call) => call.iteration === iteration).map(toCall),
  };
}

function toCall(call: CallPart): RecordedCall {
  return {
    id: call.id,
    shownId: call.shown_id,
    index: call.index,
    modelCallId: call.model_call_id,
    name: call.name,
    type: call.type,
    effect: call.effect,
    arguments: call.arguments,
    invalidArguments: call.invalid_arguments,
    status: call.status,
    result: call.result,
    resultBytes: call.result_bytes,
    error: call.error,
    attempts: call.attempts,
    childTurnId: call.child_turn_id,
    startedAt: call.started_at?.toISOString() ?? null,
    endedAt: call.ended_at?.toISOString() ?? null,
  };
}

function toCompaction(part: CompactionPart): RecordedCompaction {
  const { summary: text, model, answered_by: answeredBy, credits } = part;
  const isNew = text !== null && model !== null && answeredBy !== null;
  return {
    iteration: part.iteration,
    kind: part.kind,
    fromTurnId: part.from_turn_id,
    throughTurnId: part.through_turn_id,
    fromOrdinal: part.from_ordinal,
    throughOrdinal: part.through_ordinal,
    throughOffset: part.through_offset,
    referencesThrough: part.references_through,
    references: part.references_made,
    tokensBefore: part.tokens_before,
    tokensAfter: part.tokens_after,
    summaryId: part.summary_id,
    summary: isNew
      ? { text, model, answeredBy, usage: toUsage(part), credits: credits === null ? null : String(credits) }
      : null,
    error: part.error,
    createdAt: part.created_at.toISOString(),
  };
}
