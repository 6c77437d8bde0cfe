import { createHash } from 'node:crypto';
import { newId } from '../src/ids.ts';
import { HoldfastError } from '../src/domain/errors.ts';
import type { AgentVersion } from '../src/domain/agent.ts';
import type { NewEvent } from '../src/domain/event.ts';
import type { ModelAnswer, RequestedToolCall, Usage } from '../src/domain/model.ts';
import type { TurnOutcome } from '../src/domain/turn-status.ts';
import type { CallModelInput } from '../src/domain/turn-steps.ts';
import type { NewAnswer, NewToolCall } from '../src/db/repositories/turn-answers.ts';
import type { TurnStep } from '../src/db/repositories/turn-context.ts';
import type { ToolRoom } from './dependencies.ts';

const emptyAnswer = 'The model ended the turn without an answer.';

/** The most tool calls that one answer may ask for: all of them run at once. */
const maximumToolCalls = 128;

interface AnswerSource {
  input: CallModelInput;
  step: TurnStep;
  version: AgentVersion;
  answer: ModelAnswer;
}

/** What a model answered, as it is stored: with keys for its tool calls and the events that tell of it. */
export function toNewAnswer(source: AnswerSource, tools: ToolRoom): NewAnswer {
  const { input, step, version, answer } = source;
  const requested = input.tools === 'withheld' ? [] : answer.toolCalls;
  if (requested.length > maximumToolCalls) throw tooManyToolCalls(requested.length);
  const toolCalls = requested.map((call, index) => toNewToolCall(call, index, { ...source, tools }));
  const outcome = toOutcome(input, toolCalls);
  const text = outcome !== null && answer.text === '' ? emptyAnswer : answer.text;
  const usage = addUsage(step.usage, answer.usage);
  const base = { messageId: newId(), iteration: input.iteration, text, usage: answer.usage };
  const events: NewEvent[] = [
    {
      type: 'message.created',
      payload: {
        ...base,
        model: answer.answeredBy,
        toolCalls: toolCalls.map((call) => toEventCall(call, input)),
      },
    },
  ];
  if (outcome !== null) {
    events.push({
      type: 'turn.settled',
      payload: { outcome, answer: text, error: null, iterations: input.iteration, usage },
    });
  }
  return {
    ...base,
    turnId: input.turnId,
    model: version.model,
    answeredBy: answer.answeredBy,
    finishReason: answer.finishReason,
    providerContent: requested.length === answer.toolCalls.length ? (answer.providerContent ?? null) : null,
    toolCalls,
    events,
    outcome,
  };
}

function tooManyToolCalls(count: number): HoldfastError {
  const message = `The model asked for ${count} tool calls at once; at most ${maximumToolCalls} are allowed.`;
  return new HoldfastError('MODEL_BAD_RESPONSE', message, { retryable: false });
}

function toOutcome(input: CallModelInput, toolCalls: NewToolCall[]): TurnOutcome | null {
  if (input.tools === 'withheld') return 'iteration_limit';
  return toolCalls.length === 0 ? 'completed' : null;
}

function toNewToolCall(
  call: RequestedToolCall,
  index: number,
  source: AnswerSource & { tools: ToolRoom },
): NewToolCall {
  const { input, version, tools } = source;
  const tool = version.tools.find(({ name }) => name === call.name) ?? null;
  return {
    id: newId(),
    index,
    key: toToolCallKey(input, index),
    modelCallId: call.modelCallId,
    name: call.name,
    tool,
    effect: tool ? tools.effectOf(tool, call.arguments ?? {}) : 'read_only',
    arguments: call.arguments,
    invalidArguments: call.invalidArguments ?? null,
    argumentsHash: sha256(JSON.stringify(call.arguments ?? call.invalidArguments ?? null)),
  };
}

/** The key of a call: the same for every attempt, and for every run of the turn. */
export function toToolCallKey(
  step: Pick<CallModelInput, 'workspaceId' | 'turnId' | 'iteration'>,
  index: number,
): string {
  return sha256([step.workspaceId, step.turnId, step.iteration, index].join('\n'));
}

function toEventCall(
  { id, index, name, tool, arguments: input }: NewToolCall,
  { iteration }: CallModelInput,
) {
  return { toolCallId: id, iteration, index, name, type: tool?.type ?? null, arguments: input };
}

function addUsage(before: Usage, more: Usage): Usage {
  return {
    inputTokens: before.inputTokens + more.inputTokens,
    cacheReadTokens: before.cacheReadTokens + more.cacheReadTokens,
    cacheWriteTokens: before.cacheWriteTokens + more.cacheWriteTokens,
    outputTokens: before.outputTokens + more.outputTokens,
    reasoningTokens: before.reasoningTokens + more.reasoningTokens,
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
