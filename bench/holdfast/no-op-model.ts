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

/** A model that answers immediately: some rounds of one tool call, then only text. */
export function createNoOpModel(onFirstCall: (tag: string) => void): CallLanguageModel {
  return (call) => {
    const { tag, round } = findRound(call);
    if (round === 0) onFirstCall(tag);
    call.onTextDelta(text);
    return Promise.resolve(toAnswer(round));
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
