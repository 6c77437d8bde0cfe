import { setTimeout as sleep } from 'node:timers/promises';
import type { CallLanguageModel, ModelAnswer, ModelCall } from '../../src/domain/model.ts';
import { messageCharacters, tagLength, toolRounds } from '../programs/contract.ts';
import { noOpToolName } from './no-op-tool.ts';

const text = 'm'.repeat(messageCharacters);
const usage = {
  inputTokens: 1000,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 250,
  reasoningTokens: 0,
};

/** The time that each model call takes, in milliseconds; it can be changed while the model is in use. */
export interface ModelTime {
  ms: number;
}

/**
 * A model that answers immediately, or after some time: some rounds of one tool call, then only text. An agent without
 * tools gets the text alone.
 */
export function createNoOpModel(
  onFirstCall: (tag: string) => void,
  time: Readonly<ModelTime> = { ms: 0 },
): CallLanguageModel {
  return async (call) => {
    const { tag, round } = findRound(call);
    if (round === 0) onFirstCall(tag);
    if (time.ms > 0) await sleep(time.ms, undefined, { signal: call.signal });
    call.onTextDelta(text);
    return toAnswer(call.tools.length > 0 ? round : toolRounds);
  };
}

function findRound({ messages }: ModelCall): { tag: string; round: number } {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const round = messages.slice(start).filter(({ role }) => role === 'assistant').length;
  return { tag: messages[start]?.role === 'user' ? messages[start].text.slice(0, tagLength) : '', round };
}

function toAnswer(round: number): ModelAnswer {
  const answer = { text, reasoning: '', usage, answeredBy: 'no-op' };
  if (round >= toolRounds) return { ...answer, toolCalls: [], finishReason: 'stop' };
  const call = { modelCallId: `call_${round}`, name: noOpToolName, arguments: { text } };
  return { ...answer, toolCalls: [call], finishReason: 'tool_calls' };
}
