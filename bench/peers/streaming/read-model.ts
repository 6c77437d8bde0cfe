import { request } from 'node:http';
import { calculate, calculateDescription, calculateName } from './calculate.ts';

/** A message of Chat Completions. */
export interface ChatMessage {
  role: 'user' | 'assistant' | 'tool';
  content: string;
  tool_calls?: ToolCall[];
  tool_call_id?: string;
}

interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

interface Chunk {
  choices: { delta: { content?: string; tool_calls?: ToolCall[] } }[];
}

const tool = {
  type: 'function',
  function: {
    ...{ name: calculateName, description: calculateDescription },
    parameters: { type: 'object', properties: { expression: { type: 'string' } }, required: ['expression'] },
  },
};

/**
 * Calls a model with `node:http` and yields the pieces of its answer. Returns the message. Reads what the model server of
 * the benchmark sends: tool calls that come whole.
 */
export async function* readModel(
  modelUrl: string,
  messages: readonly ChatMessage[],
): AsyncGenerator<string, ChatMessage> {
  const answer: ChatMessage = { role: 'assistant', content: '' };
  let text = '';
  for await (const part of await post(`${modelUrl}/chat/completions`, {
    stream: true,
    messages,
    tools: [tool],
  })) {
    const frames = (text + (part as string)).split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      if (frame === 'data: [DONE]') return answer;
      const delta = (JSON.parse(frame.slice('data: '.length)) as Chunk).choices[0]?.delta;
      if (delta?.tool_calls) answer.tool_calls = delta.tool_calls;
      if (!delta?.content) continue;
      answer.content += delta.content;
      yield delta.content;
    }
  }
  throw new Error('the model ended without [DONE]');
}

/** Runs the tool that a model called and returns its answer to the model; null when it called none. */
export function runTool({ tool_calls: calls }: ChatMessage): ChatMessage | null {
  const call = calls?.[0];
  if (!call) return null;
  const content = calculate(JSON.parse(call.function.arguments) as Parameters<typeof calculate>[0]);
  return { role: 'tool', tool_call_id: call.id, content };
}

function post(url: string, body: object): Promise<AsyncIterable<unknown>> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    request(url, { method: 'POST', headers }, (response) => {
      if (response.statusCode === 200) resolve(response.setEncoding('utf8'));
      else reject(new Error(`the model answered ${response.statusCode}`));
    })
      .on('error', reject)
      .end(JSON.stringify(body));
  });
}
