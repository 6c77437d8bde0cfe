import { newId } from '../../src/platform/lib/ids.ts';
import { HoldfastError, type ErrorInfo } from '../../src/domain/errors.ts';
import type { AgentVersion } from '../../src/domain/agent.ts';
import type { NewEvent } from '../../src/domain/event.ts';
import { defaultLimits } from '../../src/domain/limits.ts';
import { toModelCredits } from '../../src/domain/credits.ts';
import { findCallPrice } from '../../src/domain/price-table.ts';
import { toPreview } from '../../src/domain/text.ts';
import { blockedAnswer, toFinalText } from '../../src/domain/own-words.ts';
import { addUsage } from '../../src/domain/usage.ts';
import { createCanaryDetector } from '../../src/engines/rules/canary-detector.ts';
import type { TurnOutcome } from '../../src/domain/turn-status.ts';
import type { CallModelInput } from '../../src/contract/turn-steps.ts';
import type { NewAnswer, NewToolCall } from '../../src/modules/turns/turn-answer-repository.ts';
import type { TakenMessage } from '../../src/modules/turns/messages/steering-repository.ts';
import type { TurnStep } from '../../src/modules/turns/context/turn-context-repository.ts';
import type { Verdict } from './judge-answer.ts';
import type { PassedModel } from './order-choices.ts';
import type { StepAnswer } from './read-answer.ts';
import type { StepTools } from '../step-dependencies.ts';
import { startsChild } from './call-model-result.ts';
import { toCutCredits, type CutCall } from './cut-call.ts';
import { toNewToolCalls } from '../tool/new-tool-call.ts';

/** The most tool calls that one answer may ask for: all of them run at once. */
const maximumToolCalls = 128;

interface AnswerSource extends StepAnswer {
  input: CallModelInput;
  step: Pick<TurnStep, 'usage' | 'steered' | 'maxIterations' | 'prices' | 'heldBy'>;
  version: AgentVersion;
  /** Names the attempt that claims the calls with the answer. */
  claimId?: string;
  /** Null for an answer that no schema is for. */
  verdict: Verdict | null;
  /** The messages that the turn has taken, and the answer has seen. @default none */
  taken?: TakenMessage[];
  /** The calls of this iteration that messages have cut short, and which count with the answer. @default none */
  cut?: readonly CutCall[];
  /** Set when a message waits: the answer then neither completes the turn nor claims its calls. */
  isSteered?: true;
}

/** The answer of a model as it is stored: with keys for its tool calls and with its events. */
export function toNewAnswer(source: AnswerSource, tools: Pick<StepTools, 'effectOf'>): NewAnswer {
  return source.isBlocked ? toBlockedAnswer(source) : toKeptAnswer(source, tools);
}

function toKeptAnswer(source: AnswerSource, tools: Pick<StepTools, 'effectOf'>): NewAnswer {
  const { input, version, answer, verdict, isSteered = false } = source;
  const requested = input.tools === 'withheld' ? [] : answer.toolCalls;
  if (requested.length > maximumToolCalls) throw tooManyToolCalls(requested.length);
  const toolCalls = toNewToolCalls(requested, { input, version, tools });
  const outcome = verdict ? verdict.outcome : toOutcome(input, toolCalls);
  // The content that is kept for the provider holds the calls as the model made them.
  const isWhole = requested.length === answer.toolCalls.length && toolCalls.every(({ refusal }) => !refusal);
  const providerContent = isWhole ? (answer.providerContent ?? null) : null;
  const continues = isSteered && outcome === 'completed';
  const text = outcome !== null && !continues ? toFinalText(answer.text) : answer.text;
  const parts = { text, toolCalls, outcome: continues ? null : outcome, providerContent };
  return toStored(source, { ...parts, ...(verdict && !continues ? toJudged(verdict) : {}) });
}

function toJudged(verdict: Verdict): Partial<StoredParts> {
  if ('json' in verdict) return { answerJson: verdict.json };
  return 'error' in verdict ? { error: verdict.error } : { refused: verdict.refused };
}

function toBlockedAnswer(source: AnswerSource): NewAnswer {
  const { input } = source;
  const error: ErrorInfo = { code: 'ANSWER_BLOCKED', message: blockedAnswer };
  const stored = toStored(source, {
    text: blockedAnswer,
    toolCalls: [],
    outcome: 'failed',
    providerContent: null,
    error,
  });
  const payload = { rule: 'canary', iteration: input.iteration, model: source.model, error: { ...error } };
  return { ...stored, audit: { type: 'answer.blocked', payload } };
}

type StoredParts = Pick<
  NewAnswer,
  'text' | 'toolCalls' | 'outcome' | 'providerContent' | 'error' | 'answerJson' | 'refused'
>;

/** The most characters of reasoning that are kept. */
const mostReasoning = 100_000;

/** Returns the reasoning that is kept: null for an answer that was stopped. */
function toReasoning({ answer: { reasoning }, isBlocked, version }: AnswerSource): string | null {
  if (reasoning === '' || isBlocked) return null;
  const detector = createCanaryDetector(version.rules.canaryTokens);
  const shown = detector ? detector.redact(reasoning) : reasoning;
  return shown.slice(0, mostReasoning).toWellFormed();
}

function toStored(source: AnswerSource, parts: StoredParts): NewAnswer {
  const { input, step, answer, record, time } = source;
  const { text, toolCalls, outcome, error = null, answerJson, refused } = parts;
  const startsChildren = toolCalls.some(({ tool }) => startsChild(tool));
  const claimId = startsChildren || source.isSteered ? undefined : source.claimId;
  const isClaim = claimId !== undefined && toolCalls.length > 0;
  const cut = source.cut ?? [];
  const usage = cut.reduce((sum, call) => addUsage(sum, call.usage), answer.usage);
  const base = { messageId: newId(), iteration: input.iteration, text, usage };
  const reasoning = toReasoning(source);
  const credits = toCredits(source);
  const events: NewEvent[] = [
    ...cut.map((call) => toCutEvent(call, input)),
    ...(source.taken ?? []).map((one) => toSteeredEvent(one, input)),
    ...source.passed.map((one, index) => toPassedEvent(source, one, index)),
    toMessageEvent(source, { ...base, reasoning, credits, toolCalls }),
  ];
  if (claimId !== undefined) events.push(...toolCalls.map((call) => toStartEvent(call, input)));
  if (refused) {
    const { messageId, iteration } = base;
    events.push({ type: 'answer.rejected', payload: { messageId, iteration, errors: refused.errors } });
  }
  if (outcome !== null) {
    events.push({
      type: 'turn.settled',
      payload: {
        ...{ outcome, answer: text, error, iterations: input.iteration, usage: addUsage(step.usage, usage) },
        ...(answerJson && { answerJson }),
      },
    });
  }
  return {
    ...base,
    reasoning,
    turnId: input.turnId,
    model: source.model,
    answeredBy: answer.answeredBy,
    finishReason: answer.finishReason,
    providerContent: parts.providerContent,
    ...(answerJson && { answerJson }),
    ...(refused && { refused }),
    ...(error && { error }),
    credits,
    toolCalls,
    record,
    time,
    learned: {},
    events,
    outcome,
    claimId,
    steered: step.steered,
    heldBy: step.heldBy,
    yields: !source.isSteered && (isClaim || (outcome === 'completed' && hasRoom(source))),
  };
}

/** Returns what the answer has cost with the calls before it that were cut short; null for a model without a price. */
function toCredits({ answer, version, model, step: { prices }, cut = [] }: AnswerSource): bigint | null {
  const price = findCallPrice({ ...version.modelSettings, model }, prices);
  const [credits, before] = [toModelCredits(answer.usage, price), toCutCredits(cut, prices)];
  return credits === null || before === null ? null : credits + before;
}

/** The event of the answer, which names the attempt that readers have pieces of. */
function toMessageEvent(
  { input, answer, attempt }: AnswerSource,
  { messageId, iteration, text, usage, reasoning, credits, toolCalls }: MessageParts,
): NewEvent {
  return {
    type: 'message.created',
    payload: {
      ...{ messageId, iteration, text, usage },
      ...(attempt !== undefined && { attempt }),
      ...(reasoning !== null && { reasoning }),
      model: answer.answeredBy,
      credits: credits === null ? null : String(credits),
      toolCalls: toolCalls.map((call) => toEventCall(call, input)),
    },
  };
}

type MessageParts = Pick<
  NewAnswer,
  'messageId' | 'iteration' | 'text' | 'usage' | 'reasoning' | 'credits' | 'toolCalls'
>;

/** The event of a model call that a message has cut short. */
function toCutEvent({ model, usage }: CutCall, { iteration }: CallModelInput): NewEvent {
  return { type: 'model.cut_short', payload: { iteration, model, usage } };
}

/** The event of a message that the turn has taken. */
function toSteeredEvent(
  { messageId, text, turnId: steeredTurnId }: TakenMessage,
  { iteration }: CallModelInput,
): NewEvent {
  return {
    type: 'message.steered',
    payload: { messageId, message: toPreview(text), iteration, steeredTurnId },
  };
}

/** The event of a model that did not answer, so that the next one was called. */
function toPassedEvent(
  { input: { iteration }, passed, model }: AnswerSource,
  { model: from, error }: PassedModel,
  index: number,
): NewEvent {
  const to = passed[index + 1]?.model ?? model;
  return { type: 'model.passed', payload: { iteration, model: from, next: to, error } };
}

/** Returns whether the turn may call the model once more, with its tools. */
function hasRoom({ input, step, version: { limits } }: AnswerSource): boolean {
  return input.iteration < (step.maxIterations ?? limits.maxIterations ?? defaultLimits.maxIterations);
}

/** The event of a claim that is the first attempt of its call. */
function toStartEvent({ id, index, name }: NewToolCall, { iteration }: CallModelInput): NewEvent {
  return { type: 'tool.started', payload: { toolCallId: id, iteration, index, name, attempt: 1 } };
}

function tooManyToolCalls(count: number): HoldfastError {
  const message = `The model asked for ${count} tool calls at once; at most ${maximumToolCalls} are allowed.`;
  return new HoldfastError('MODEL_BAD_RESPONSE', message, { retryable: false });
}

function toOutcome(input: CallModelInput, toolCalls: NewToolCall[]): TurnOutcome | null {
  if (input.tools === 'withheld') return 'iteration_limit';
  return toolCalls.length === 0 ? 'completed' : null;
}

function toEventCall(
  { id, index, name, tool, arguments: input }: NewToolCall,
  { iteration }: CallModelInput,
) {
  return { toolCallId: id, iteration, index, name, type: tool?.type ?? null, arguments: input };
}
