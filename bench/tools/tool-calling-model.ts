import type { JsonObject } from '../../src/domain/json.ts';
import { startTimedServer, type TimedServer } from './timed-server.ts';

interface ChatRequest {
  messages: { role: string; content: string | null }[];
}

/** A tool call that a user's message spells out as JSON. */
export interface WantedCall {
  name: string;
  arguments: JsonObject;
}

/**
 * Starts an OpenAI-compatible model that makes the tool call which the last message of the user spells out as JSON,
 * and answers once it has a result.
 */
export function startToolCallingModel(): Promise<TimedServer> {
  return startTimedServer((body, response) => {
    const { messages } = JSON.parse(body) as ChatRequest;
    const last = messages.at(-1);
    const delta = last?.role === 'tool' ? { content: 'Done.' } : toCall(last?.content ?? '{}');
    const finish = last?.role === 'tool' ? 'stop' : 'tool_calls';
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(toFrame({ delta: { role: 'assistant', ...delta }, finish_reason: null }));
    response.write(toFrame({ delta: {}, finish_reason: finish }));
    response.end('data: [DONE]\n\n');
  });
}

function toCall(message: string) {
  const wanted = JSON.parse(message) as WantedCall;
  const call = { name: wanted.name, arguments: JSON.stringify(wanted.arguments) };
  return { tool_calls: [{ index: 0, id: 'call_0', type: 'function', function: call }] };
}

function toFrame(choice: object): string {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const chunk = { id: 'answer', object: 'chat.completion.chunk', created: 0, model: 'bench', usage };
  return `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }] })}\n\n`;
}
