import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startJsonServer, type LoopbackServer } from './json-server.ts';
import { failWith, modelFaults, send } from './model-faults.ts';
import { createPromptRecord, type PromptMessage, type PromptRecord } from './prompts.ts';
import { planCalls } from './swarm-plan.ts';

/** How long the model thinks before it answers, in milliseconds. */
const thinkMs = 300;

/** The models of agents that have another one for them, without the vendor: several, since a failing one is passed over. */
export const failingModels = Array.from({ length: 12 }, (_, index) => `failing-${index + 1}`);

/** The model that answers for them. */
export const steadyModel = 'steady';

/** The model that writes an answer of many words for some seconds. */
export const slowModel = 'slow';

/** The words of its answers, and the time between two of them in milliseconds. */
const slowWords = 40;
const slowPauseMs = 150;

/** The share of requests to a failing model that fail. */
const failingShare = 0.6;

interface ChatRequest {
  model: string;
  messages: PromptMessage[];
  tool_choice?: string;
}

/** An OpenAI-compatible model that calls every tool of the shop once, or plans a swarm, and then answers. */
export interface FaultyModel extends LoopbackServer {
  /** The share of answers that break off after their first piece, from 0 to 1. */
  setBrokenAnswers: (share: number) => void;
  /** How often the failing models have failed. */
  countFaults: () => number;
  prompts: PromptRecord;
}

/** Starts the model. The user's message is the order that it gives to the tools. */
export async function startModel(): Promise<FaultyModel> {
  let brokenShare = 0;
  let requestCount = 0;
  let faultCount = 0;
  const prompts = createPromptRecord();
  const server = await startJsonServer(async (body, response) => {
    const request = body as ChatRequest;
    prompts.add(request.messages);
    await sleep(thinkMs);
    if (request.model === slowModel)
      return answerIn(response, toPieces(request, `slow ${++requestCount}`, slowWords), slowPauseMs);
    const isFailing = failingModels.includes(request.model);
    if (isFailing || request.model === steadyModel) {
      const pieces = toPieces(request, `${request.model} ${++requestCount}`);
      const fails = isFailing && Math.random() < failingShare;
      const fault = fails ? modelFaults[faultCount++ % modelFaults.length] : undefined;
      return fault ? failWith(response, fault, pieces) : answerIn(response, pieces);
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const frames = toFrames(request);
    response.write(frames[0]);
    if (Math.random() < brokenShare) return void response.destroy();
    endWith(response, frames.slice(1));
  });
  return {
    ...server,
    prompts,
    countFaults: () => faultCount,
    setBrokenAnswers: (share) => {
      brokenShare = share;
    },
  };
}

async function answerIn(response: ServerResponse, pieces: string[], pauseMs = 0): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const piece of pieces) {
    await send(response, piece);
    if (pauseMs > 0) await sleep(pauseMs);
  }
  response.end('data: [DONE]\n\n');
}

function endWith(response: ServerResponse, frames: string[]): void {
  for (const frame of frames) response.write(frame);
  response.end('data: [DONE]\n\n');
}

function toCalls({ messages, tool_choice: choice }: ChatRequest) {
  const last = messages.at(-1);
  const calls = last === undefined || last.role === 'tool' || choice === 'none' ? [] : planCalls(last);
  return calls.map(toCall);
}

/** An answer in as many pieces as it has moments to fail at. Its words name the request, so that no two answers are alike. */
function toPieces(request: ChatRequest, mark: string, more = 0): string[] {
  const calls = toCalls(request);
  const added = Array.from({ length: more }, (_, index) => `word${index + 1} `);
  const words = [`${mark}: `, 'one ', 'two ', ...added, 'three.'];
  return [
    toFrame({ delta: { role: 'assistant' }, finish_reason: null }),
    ...words.map((content) => toFrame({ delta: { content }, finish_reason: null })),
    toFrame({ delta: calls.length > 0 ? { tool_calls: calls } : { content: '' }, finish_reason: null }),
    toFrame({ delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }),
  ];
}

function toFrames(request: ChatRequest): string[] {
  const calls = toCalls(request);
  const isAnswer = calls.length === 0;
  const delta = isAnswer ? { content: 'All of it is done.' } : { tool_calls: calls };
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
