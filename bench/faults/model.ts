import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startJsonServer, type LoopbackServer } from './json-server.ts';
import { createPromptRecord, type PromptMessage, type PromptRecord } from './prompts.ts';
import { planCalls } from './swarm-plan.ts';

/** How long the model thinks before it answers, in milliseconds. */
const thinkMs = 300;

interface ChatRequest {
  messages: PromptMessage[];
  tool_choice?: string;
}

/** An OpenAI-compatible model that calls every tool of the shop once, or plans a swarm, and then answers. */
export interface FaultyModel extends LoopbackServer {
  /** The share of answers that break off after their first piece, from 0 to 1. */
  setBrokenAnswers: (share: number) => void;
  prompts: PromptRecord;
}

/** Starts the model. The user's message is the order that it gives to the tools. */
export async function startModel(): Promise<FaultyModel> {
  let brokenShare = 0;
  const prompts = createPromptRecord();
  const server = await startJsonServer(async (body, response) => {
    const request = body as ChatRequest;
    prompts.add(request.messages);
    await sleep(thinkMs);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const frames = toFrames(request);
    response.write(frames[0]);
    if (Math.random() < brokenShare) return void response.destroy();
    endWith(response, frames.slice(1));
  });
  return {
    ...server,
    prompts,
    setBrokenAnswers: (share) => {
      brokenShare = share;
    },
  };
}

function endWith(response: ServerResponse, frames: string[]): void {
  for (const frame of frames) response.write(frame);
  response.end('data: [DONE]\n\n');
}

function toFrames({ messages, tool_choice: choice }: ChatRequest): string[] {
  const last = messages.at(-1);
  const calls = last === undefined || last.role === 'tool' || choice === 'none' ? [] : planCalls(last);
  const isAnswer = calls.length === 0;
  const delta = isAnswer ? { content: 'All of it is done.' } : { tool_calls: calls.map(toCall) };
  return [
    toFrame({ delta: { role: 'assistant', ...delta }, finish_reason: null }),
    toFrame({ delta: {}, finish_reason: isAnswer ? 'stop' : 'tool_calls' }),
  ];
}

function toCall(call: ReturnType<typeof planCalls>[number], index: number) {
  const { name, arguments: input } = call;
  return {
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  };
}

function toFrame(choice: object): string {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const chunk = { id: 'answer', object: 'chat.completion.chunk', created: 0, model: 'faults', usage };
  return `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }] })}\n\n`;
}
