import { messageCharacters, toolRounds } from '../programs/contract.ts';

/** A tool call that a model asks for. */
export interface ScriptedCall {
  id: string;
  name: string;
  arguments: { text: string };
}

/** A message of a conversation. */
export interface ScriptedMessage {
  role: 'user' | 'assistant' | 'tool';
  text: string;
  toolCall?: ScriptedCall;
}

const answer = 'm'.repeat(messageCharacters);
const result = 't'.repeat(messageCharacters);

/** The message that every turn begins with. */
export const userMessage: ScriptedMessage = { role: 'user', text: 'u'.repeat(messageCharacters) };

/** Answers immediately for the last turn of a conversation: a tool call for some rounds, and then only text. */
export function callModel(messages: readonly ScriptedMessage[]): ScriptedMessage {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  return answerRound(messages.slice(start).filter(({ role }) => role === 'assistant').length);
}

/** The model's answer of a round, counted from 0. */
export function answerRound(round: number): ScriptedMessage {
  const message = { role: 'assistant' as const, text: answer };
  if (round >= toolRounds) return message;
  return { ...message, toolCall: { id: `call_${round}`, name: 'no_op', arguments: { text: answer } } };
}

/** Runs a tool that does nothing. */
export function callTool(): ScriptedMessage {
  return { role: 'tool', text: result };
}
