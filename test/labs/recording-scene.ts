import { createToolCallRepository } from '../../src/modules/turns/calls/tool-call-repository.ts';
import {
  createTurnAnswerRepository,
  type NewAnswer,
} from '../../src/modules/turns/turn-answer-repository.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import type { MessageContent } from '../../src/domain/message-part.ts';
import type { Recording } from '../../src/domain/recording.ts';
import type { Api } from './api-lab.ts';
import { fewTokens as usage } from './few-tokens.ts';
import { createAnswer, createToolCall } from './turn-rows.ts';

/** An agent with two tools, one of which is switched off, rules, and a canary token. */
export const shopAgent = {
  name: 'Shop',
  model: 'demo',
  instructions: 'You help customers of a shop.',
  limits: { maxIterations: 5 },
  rules: { toolPolicies: { calculate: { maxCallsPerTurn: 3 } }, canaryTokens: ['kestrel-4711-marmot'] },
  tools: ['calculate', 'current_time'].map((name) => ({
    type: 'function',
    name,
    description: `Does ${name}.`,
    schema: { type: 'object', properties: { expression: { type: 'string' } } },
    config: { functionName: name },
    settings: { effect: 'read_only', enabled: name === 'calculate' },
  })),
};

/** A turn that is held: what the user says, and what the tool is asked and answers. */
export interface HeldTurn {
  message: MessageContent;
  arguments?: JsonObject;
  result?: string;
  answer?: string;
}

/** Creates the agent of the shop and returns its id. */
export async function createShop(api: Api): Promise<string> {
  return (await api.call('POST', '/api/agents', { body: shopAgent })).data.agent.id;
}

/** Holds a conversation as its workflows do: each turn calls `calculate` once, and then answers. */
export async function holdConversation(
  api: Api,
  { agentId, turns, ...more }: { agentId: string; turns: HeldTurn[]; tags?: string[]; title?: string },
): Promise<string> {
  const opened = await api.call('POST', '/api/conversations', { body: { agentId, ...more } });
  const conversationId = opened.data.conversation.id;
  for (const turn of turns) await holdTurn(api, conversationId, turn);
  return conversationId;
}

async function holdTurn(api: Api, conversationId: string, turn: HeldTurn): Promise<void> {
  const {
    message,
    arguments: input = { expression: '6 * 7' },
    result = '42',
    answer = `It is ${result}.`,
  } = turn;
  const started = await api.call('POST', `/api/conversations/${conversationId}/turns`, { body: { message } });
  const turnId = started.data.turn.id;
  const call = { ...createToolCall(0, 'read_only'), name: 'calculate', arguments: input };
  await storeAnswer(
    api,
    createAnswer(turnId, { text: 'Let me see.', toolCalls: [call], finishReason: 'tool_calls' }),
  );
  await api.database.transact(api.workspaceId, async (query) => {
    const calls = createToolCallRepository(query);
    await calls.claim({ turnId, iteration: 1, index: 0 });
    await calls.finish({
      id: call.id,
      status: 'succeeded',
      result,
      resultBytes: Buffer.byteLength(result),
      event: {
        type: 'tool.executed',
        payload: {
          toolCallId: call.id,
          iteration: 1,
          index: 0,
          name: call.name,
          durationMs: 1,
          resultPreview: result,
        },
      },
      audit: { type: 'tool.executed', payload: {} },
    });
  });
  const last = createAnswer(turnId, { iteration: 2, text: answer, outcome: 'completed', messageId: newId() });
  const payload = { outcome: 'completed' as const, answer, error: null, iterations: 2, usage };
  await storeAnswer(api, { ...last, events: [...last.events, { type: 'turn.settled', payload }] });
}

async function storeAnswer(api: Api, answer: NewAnswer): Promise<void> {
  await api.database.transact(api.workspaceId, (query) =>
    createTurnAnswerRepository(query).storeAnswer(answer),
  );
}

/** Exports with a query such as `?tag=vip`, over HTTP. */
export async function exportLines(api: Api, query = '', key = api.key): Promise<Recording[]> {
  const response = await fetch(`${api.url}/api/recordings${query}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Recording]));
}
