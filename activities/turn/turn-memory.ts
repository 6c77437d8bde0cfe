import type { ClaimedToolCall, ToolCallEnd } from '../../src/modules/turns/calls/tool-call-repository.ts';
import type { NewAnswer, NewToolCall } from '../../src/modules/turns/turn-answer-repository.ts';
import type { TurnStep } from '../../src/modules/turns/context/turn-context-repository.ts';
import type { AgentVersion } from '../../src/domain/agent.ts';
import {
  modelResultCharacters,
  type ContextMessage,
  type ContextToolCall,
} from '../../src/domain/model-context.ts';
import { pickFileParts } from '../../src/domain/model-part.ts';
import { toStorableText, toStoredJson } from '../../src/domain/storable.ts';
import { addUsage, countTokens } from '../../src/domain/usage.ts';
import type { AnsweredStep } from '../model/answer-and-store.ts';
import type { ModelStep } from '../model/read-model-step.ts';
import type { EndedCall } from '../tool/call-ledger.ts';

/** How old a claim may be when its call is sent, in milliseconds: less than the time after which a turn is taken over. */
const freshMs = 1_000;

interface KnownTurn extends ModelStep {
  /** The iteration of the model call that comes next. */
  iteration: number;
  /** The calls of the last answer that have not ended. */
  open: Map<number, { claimed: ClaimedToolCall; shown: ContextToolCall }>;
}

/**
 * Keeps a turn as it is stored, so that a process that runs all its steps reads it once. It forgets a turn that it does
 * not know for certain; then the next step reads it again.
 */
export function createTurnMemory(workspaceId: string) {
  let known: KnownTurn | null = null;

  return {
    /** The input of the model call of an iteration; null when it has to be read. */
    find: (iteration: number): ModelStep | null => {
      if (known?.iteration !== iteration || known.open.size > 0 || known.step.steering) return null;
      const { step, context } = known;
      return { step, context, taken: [] };
    },

    forget: (): void => {
      known = null;
    },

    /** Notes a stored answer. Its calls, when they were claimed with it, can be taken by `takeClaimed`. */
    answered: ({ stored }: AnsweredStep): void => {
      known = stored?.answer.claimId === undefined ? null : toKnown(workspaceId, stored);
    },

    /**
     * The claimed call of the last answer; undefined when the call has to be claimed. A process that was stopped after it had
     * stored the answer claims the call again before it sends it, since it may have lost the turn.
     */
    takeClaimed: (iteration: number, index: number): ClaimedToolCall | undefined => {
      const claimed = known?.iteration === iteration + 1 ? known.open.get(index)?.claimed : undefined;
      const claimedAt = claimed?.started_at?.getTime() ?? 0;
      return Date.now() - claimedAt < freshMs ? claimed : undefined;
    },

    /** Notes the stored end of a call of the last answer. */
    ended: (index: number, { end, state }: NonNullable<EndedCall['stored']>): void => {
      const call = known?.open.get(index);
      if (!known || !call) return;
      Object.assign(call.shown, toShownEnd(end));
      known.open.delete(index);
      Object.assign(known.step, state);
    },
  };
}

export type TurnMemory = ReturnType<typeof createTurnMemory>;

type Stored = NonNullable<AnsweredStep['stored']>;

function toKnown(workspaceId: string, stored: Stored): KnownTurn | null {
  const { answer, state, version } = stored;
  const { step, context } = stored.before;
  const [first] = context;
  if (!first) return null;
  const calls = answer.toolCalls.map((call) => ({ call, shown: toShownCall(call) }));
  const next = { ...toNextStep(step, answer), ...state };
  const source = { workspaceId, step: next, version };
  const open = calls.map(
    ({ call, shown }) => [call.index, { shown, claimed: toClaimed(call, answer, source) }] as const,
  );
  const message = toMessage(answer, { step, firstOrdinal: first.firstOrdinal });
  return {
    iteration: answer.iteration + 1,
    taken: [],
    step: next,
    context: [...context, { ...message, toolCalls: calls.map(({ shown }) => shown) }],
    open: new Map(open),
  };
}

function toNextStep(step: TurnStep, { usage, learned }: NewAnswer): TurnStep {
  return {
    ...step,
    tokenRatios: { ...step.tokenRatios, ...learned },
    start: { ...step.start, made: 0 },
    stored: null,
    streamedAttempt: 0,
    hasHung: false,
    usage: addUsage(step.usage, usage),
    tokensUsed: step.tokensUsed + countTokens(usage),
  };
}

function toMessage(
  { text, iteration, providerContent, refused }: NewAnswer,
  { step, firstOrdinal }: { step: TurnStep; firstOrdinal: number },
): Omit<ContextMessage, 'toolCalls'> {
  return {
    turnOrdinal: step.ordinal,
    firstOrdinal,
    iteration,
    role: 'assistant',
    text: toStorableText(text),
    parts: null,
    providerContent: providerContent === null ? null : toStoredJson(providerContent),
    refused: refused ? { ...refused, errors: toStoredJson(refused.errors) } : null,
  };
}

function toShownCall(call: NewToolCall): ContextToolCall {
  const { id, modelCallId, name, arguments: input, invalidArguments, refusal } = call;
  return {
    id,
    modelCallId: toStorableText(modelCallId),
    name: toStorableText(name),
    arguments: input && toStoredJson(input),
    invalidArguments: invalidArguments && toStorableText(invalidArguments),
    status: 'started',
    result: null,
    resultBytes: null,
    error: refusal,
    files: null,
  };
}

function toShownEnd({ status, result, resultBytes, error, content }: ToolCallEnd): Partial<ContextToolCall> {
  return {
    status,
    result: result === undefined ? null : firstCharacters(toStorableText(result), modelResultCharacters),
    resultBytes: resultBytes ?? null,
    error: error
      ? { ...error, ...(error.details === undefined ? {} : { details: toStoredJson(error.details) }) }
      : null,
    files: toStoredJson(pickFileParts(content)),
  };
}

/** Cuts a text as `left` of SQL does, which counts a surrogate pair as one character. */
function firstCharacters(text: string, most: number): string {
  return text.length <= most ? text : Array.from(text).slice(0, most).join('');
}

interface ClaimSource {
  workspaceId: string;
  step: TurnStep;
  version: AgentVersion;
}

/** Returns the ledger's row of a call that was stored with its claim. */
function toClaimed(
  call: NewToolCall,
  { turnId, iteration }: NewAnswer,
  { workspaceId, step, version }: ClaimSource,
): ClaimedToolCall {
  return {
    id: call.id,
    workspace_id: workspaceId,
    conversation_id: step.conversationId,
    turn_id: turnId,
    iteration,
    index: call.index,
    key: call.key,
    model_call_id: call.modelCallId,
    name: call.name,
    tool: call.tool,
    effect: call.effect,
    arguments: call.arguments && toStoredJson(call.arguments),
    invalid_arguments: call.invalidArguments,
    status: 'started',
    attempts: 1,
    result: null,
    result_bytes: null,
    result_truncated: false,
    result_content: null,
    connector: call.connector,
    target: call.target,
    child_turn_id: null,
    child_workflow_id: null,
    child_begun_by: null,
    error: call.refusal,
    started_at: new Date(),
    ended_at: null,
    status_before: 'requested',
    cancel_requested: step.cancelRequested,
    steering: false,
    agent_id: step.agentId,
    agent_version_id: step.agentVersionId,
    rule_sources: step.ruleSources,
    ends_turn: version.rules.onBlocked === 'end_turn',
    quarantined: step.quarantined,
    runs: true,
    approval: null,
    requests: null,
    workspace_approval: step.workspaceApproval,
    budgeted: step.budgeted,
    held_by: step.heldBy,
  };
}
