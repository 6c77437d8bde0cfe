import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../clock.ts';
import { startJsonServer } from '../faults/json-server.ts';
import { tagLength, toolRounds, type ModelRequests } from './contract.ts';
import { toStamp } from './stamps.ts';
import { serve } from './serve.ts';

/** The time of a model call, in milliseconds. The same call of the same turn takes as long in every run. */
const usualCallMs = { fastest: 200, slowest: 2_000 };
/** The share of that time until the answer begins. */
const firstByteShare = 0.3;
/** The length of an answer, in characters; each of its pieces begins with the time at which it is written. */
const textLength = 720;

interface ChatRequest {
  messages: { role: string; content: string | null }[];
}

let pieces = 8;
let callMs = usualCallMs;
let firstCalls: Record<string, number> = {};

const server = await startJsonServer(async (body, response) => {
  const calledAt = monotonicMs();
  const { tag, round } = findRound(body as ChatRequest);
  if (round === 0) firstCalls[tag] ??= calledAt;
  const durationMs = toDuration(`${tag} ${round}`);
  await sleep(durationMs * firstByteShare);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  // Some engines take messages with the same id for one message.
  const id = `${tag}-${round}`;
  const write = (choice: object) => response.write(toFrame(id, choice));
  await streamText(write, (durationMs * (1 - firstByteShare)) / pieces);
  if (round < toolRounds) write({ delta: toCall(round), finish_reason: null });
  write({ delta: {}, finish_reason: round < toolRounds ? 'tool_calls' : 'stop' });
  response.end('data: [DONE]\n\n');
});

function findRound({ messages }: ChatRequest) {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const round = messages.slice(start).filter(({ role }) => role === 'assistant').length;
  return { tag: (messages[start]?.content ?? '').slice(0, tagLength), round };
}

function toDuration(text: string): number {
  const hash = callMs === usualCallMs ? toHash(text) : mix(toHash(text));
  return callMs.fastest + (hash / 2 ** 32) * (callMs.slowest - callMs.fastest);
}

/** FNV-1a, which repeats. The last character changes the highest bits little, so that calls of one turn take about equally long. */
function toHash(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}

/** Lets each bit depend on all others (the last step of MurmurHash3), so that each call of a turn has its own time. */
function mix(hash: number): number {
  const first = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return (second ^ (second >>> 16)) >>> 0;
}

async function streamText(write: (choice: object) => unknown, pauseMs: number): Promise<void> {
  const length = Math.ceil(textLength / pieces);
  for (let piece = 0; piece < pieces; piece += 1) {
    await sleep(pauseMs);
    const content = toStamp(monotonicMs()).padEnd(length, '.');
    write({ delta: { role: 'assistant', content }, finish_reason: null });
  }
}

function toCall(round: number) {
  const call = { name: 'calculate', arguments: JSON.stringify({ expression: `${round} + 1` }) };
  return { tool_calls: [{ index: 0, id: `call_${round}`, type: 'function', function: call }] };
}

function toFrame(id: string, choice: object): string {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const chunk = { id, object: 'chat.completion.chunk', created: 0, model: 'scale', usage };
  return `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }] })}\n\n`;
}

serve({
  readUrl: () => Promise.resolve(server.url),
  setPieces: (count) => {
    pieces = count;
    return Promise.resolve();
  },
  setTurnSeconds: (seconds) => {
    const meanMs = ((seconds ?? 0) * 1000) / (toolRounds + 1);
    callMs = seconds === null ? usualCallMs : { fastest: 0.5 * meanMs, slowest: 1.5 * meanMs };
    return Promise.resolve();
  },
  takeFirstSteps: () => {
    const taken = firstCalls;
    firstCalls = {};
    return Promise.resolve(taken);
  },
} satisfies ModelRequests);
