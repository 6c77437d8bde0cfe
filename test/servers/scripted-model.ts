import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { JsonObject } from '../../src/domain/json.ts';
import { startHttpServer } from './http-server.ts';
import { findFormatProblem } from './vendor-formats.ts';

/** The fields of a chat-completions request that tests read. */
export interface ChatRequestBody {
  model: string;
  messages: {
    role: 'system' | 'user' | 'assistant' | 'tool';
    content: string | null;
    reasoning_content?: string;
    tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
    tool_call_id?: string;
  }[];
  tools?: { type: 'function'; function: { name: string; description?: string; parameters: JsonObject } }[];
  stream?: boolean;
  response_format?: { type: string; json_schema?: { name: string; schema: JsonObject; strict?: boolean } };
  max_tokens?: number;
  temperature?: number;
}

/** A tool call of a scripted answer; arguments given as text are sent as they are, valid JSON or not. */
export interface ScriptedToolCall {
  id?: string;
  name: string;
  arguments: JsonObject | string;
}

interface ScriptedUsage {
  inputTokens?: number;
  cacheReadTokens?: number;
  outputTokens?: number;
  reasoningTokens?: number;
}

interface Conditions {
  /** Only requests for which this is true get the entry; without it any request does. */
  when?: (body: ChatRequestBody) => boolean;
  /** Such an entry may be left over, since it depends on the moment whether its request is made. */
  isOptional?: boolean;
  /** Wait before anything is answered. */
  delayMs?: number;
  /** Wait for this before anything is answered. */
  until?: Promise<unknown>;
}

/** An answer that streams to its end, unless `breakAfterChunks` cuts it off or `hang` leaves it open. */
export interface AnswerEntry extends Conditions {
  text?: string;
  reasoning?: string;
  toolCalls?: ScriptedToolCall[];
  chunkDelayMs?: number;
  /** Called with the number of chunks sent so far after each; the next one waits for it. */
  afterChunk?: (sent: number) => Promise<unknown> | undefined;
  /** The reported usage; null for a server that reports none. */
  usage?: ScriptedUsage | null;
  finishReason?: string;
  /** Breaks the connection after this many chunks of the answer. */
  breakAfterChunks?: number;
  /** How a broken answer stops: the socket is destroyed, or the response just ends. */
  breakBy?: 'reset' | 'end';
  /** Waits for this before a broken answer stops. */
  breakWhen?: Promise<unknown>;
  /** Sends the answer without its end, and then nothing until the client disconnects. */
  hang?: boolean;
}

/** An HTTP error. */
export interface StatusEntry extends Conditions {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** An answer with a line that is not JSON. */
export interface MalformedEntry extends Conditions {
  malformed: true;
}

export type ScriptEntry = AnswerEntry | StatusEntry | MalformedEntry;
type ScriptStep = ScriptEntry | ((body: ChatRequestBody) => ScriptEntry);

/** A request that the scripted model got. */
export interface ScriptedRequest {
  body: ChatRequestBody;
  headers: IncomingHttpHeaders;
  /** Whether the client disconnected before the answer was finished. */
  aborted: boolean;
  /** Settles when the answer was finished or the client has disconnected. */
  closed: Promise<void>;
}

/** A model server that answers from the script of a test. */
export interface ScriptedModel {
  /** The base URL of the vendor `compatible`. */
  baseUrl: string;
  /** All requests so far, oldest first. */
  requests: ScriptedRequest[];
  /** Adds to the script. Each request takes the oldest entry whose `when` allows it; each entry is used once. */
  reply: (...steps: ScriptStep[]) => void;
  /** Waits for a number of requests, and returns the last one. */
  waitForRequest: (count: number) => Promise<ScriptedRequest>;
  /** @throws Error when a request had no entry, or entries are left over */
  assertExhausted: () => void;
  /** Does what `assertExhausted` does, and forgets the script and the problems, so that other tests may use the server. */
  finish: () => void;
  /** Stops the server, then does what `assertExhausted` does. */
  close: (options?: { allowUnused?: boolean }) => Promise<void>;
}

/** Starts a scripted model on loopback: an OpenAI-compatible chat-completions server over real HTTP. */
export async function startScriptedModel(): Promise<ScriptedModel> {
  const script: ScriptStep[] = [];
  const requests: ScriptedRequest[] = [];
  const problems: string[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];

  const take = (body: ChatRequestBody): ScriptEntry => {
    const index = script.findIndex((step) => typeof step === 'function' || (step.when?.(body) ?? true));
    const [step] = index < 0 ? [] : script.splice(index, 1);
    if (step) return typeof step === 'function' ? step(body) : step;
    const last = JSON.stringify(body.messages.at(-1));
    problems.push(`request ${requests.length} had no script entry; its last message: ${last.slice(0, 300)}`);
    return { status: 500, body: { error: { message: 'The scripted model has run out of script.' } } };
  };

  const handle = async (request: IncomingMessage, response: ServerResponse, text: string) => {
    // The list of the models that it offers is not part of the script.
    if (request.method === 'GET') return void response.writeHead(404).end();
    const body = JSON.parse(text) as ChatRequestBody;
    requests.push(recordRequest(body, request, response));
    for (const waiter of waiting) if (requests.length >= waiter.count) waiter.resolve();
    const refused = findFormatProblem('compatible', body);
    if (refused !== null) problems.push(`a server of the protocol would refuse a request: ${refused}`);
    await answerAs(response, take(body));
  };
  const server = await startHttpServer((request, response, text) =>
    handle(request, response, text).catch((error: unknown) => {
      problems.push(`a request failed inside the scripted model: ${String(error)}`);
      response.destroy();
    }),
  );

  const assertExhausted = (allowUnused = false) => {
    const left = script.filter((step) => typeof step === 'function' || step.isOptional !== true);
    const unused = allowUnused || left.length === 0 ? [] : [`${left.length} script entries were not used`];
    const all = [...problems, ...unused];
    if (all.length > 0) throw new Error(`The scripted model and the test disagree: ${all.join('; ')}`);
  };

  return {
    baseUrl: `${server.url}/v1`,
    requests,
    reply: (...steps) => script.push(...steps),
    waitForRequest: async (count) => {
      if (requests.length < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }));
      return requests[count - 1] as ScriptedRequest;
    },
    assertExhausted: () => assertExhausted(),
    finish: () => {
      try {
        assertExhausted();
      } finally {
        script.length = 0;
        problems.length = 0;
      }
    },
    close: async (options) => {
      await server.close();
      assertExhausted(options?.allowUnused);
    },
  };
}

function recordRequest(
  body: ChatRequestBody,
  request: IncomingMessage,
  response: ServerResponse,
): ScriptedRequest {
  const recorded: ScriptedRequest = {
    body,
    headers: request.headers,
    aborted: false,
    closed: new Promise((resolve) => {
      response.on('close', () => {
        recorded.aborted = !response.writableFinished;
        resolve();
      });
    }),
  };
  return recorded;
}

/** Answers a request as an entry of a script says. */
export async function answerAs(response: ServerResponse, entry: ScriptEntry): Promise<void> {
  if (entry.delayMs !== undefined) await setTimeout(entry.delayMs);
  await entry.until;
  if ('status' in entry) {
    sendStatus(response, entry);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  if ('malformed' in entry) {
    response.end(`${toEvent(toChunk({ content: 'So far so ' }))}data: {"choices": [{"delta": \n\n`);
    return;
  }
  await streamAnswer(response, entry);
}

function sendStatus(response: ServerResponse, { status, body, headers }: StatusEntry): void {
  const content = body ?? { error: { message: `Scripted answer ${status}.`, type: 'scripted_error' } };
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof content === 'string' ? content : JSON.stringify(content));
}

async function streamAnswer(response: ServerResponse, entry: AnswerEntry): Promise<void> {
  const chunks = toContentChunks(entry);
  for (const [index, chunk] of chunks.slice(0, entry.breakAfterChunks).entries()) {
    if (response.destroyed) return;
    await send(response, toEvent(chunk));
    if (entry.chunkDelayMs !== undefined) await setTimeout(entry.chunkDelayMs);
    await entry.afterChunk?.(index + 1);
  }
  if (entry.hang === true || response.destroyed) return;
  if (entry.breakAfterChunks !== undefined) {
    await entry.breakWhen;
    if (entry.breakBy === 'end') response.end();
    else response.destroy();
    return;
  }
  const finishReason = entry.finishReason ?? (entry.toolCalls?.length ? 'tool_calls' : 'stop');
  await send(response, toEvent(toChunk({}, finishReason)));
  if (entry.usage !== null) await send(response, toEvent(toUsageChunk(entry.usage ?? {})));
  response.end('data: [DONE]\n\n');
}

/** Waits until the operating system has the bytes, so that breaking the socket loses none of them. */
async function send(response: ServerResponse, text: string): Promise<void> {
  await new Promise<void>((resolve) => response.write(text, () => resolve()));
}

function toContentChunks({ text = '', reasoning = '', toolCalls = [] }: AnswerEntry): JsonObject[] {
  const reasoningChunks = splitWords(reasoning).map((word) => toChunk({ reasoning_content: word }));
  const textChunks = splitWords(text).map((word) => toChunk({ content: word }));
  return [...reasoningChunks, ...textChunks, ...toolCalls.flatMap(toToolCallChunks)];
}

/** Returns two chunks for each call, since real servers also send arguments in pieces. */
function toToolCallChunks(call: ScriptedToolCall, index: number): JsonObject[] {
  const written = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
  const half = Math.floor(written.length / 2);
  const start = { name: call.name, arguments: written.slice(0, half) };
  const id = call.id ?? `call_${index}`;
  return [
    toChunk({ tool_calls: [{ index, id, type: 'function', function: start }] }),
    toChunk({ tool_calls: [{ index, function: { arguments: written.slice(half) } }] }),
  ];
}

function toChunk(delta: JsonObject, finishReason: string | null = null): JsonObject {
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted-model-1',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  };
}

function toUsageChunk(usage: ScriptedUsage): JsonObject {
  const { inputTokens = 10, cacheReadTokens = 0, outputTokens = 5, reasoningTokens = 0 } = usage;
  return {
    ...toChunk({}),
    choices: [],
    usage: {
      prompt_tokens: inputTokens + cacheReadTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + cacheReadTokens + outputTokens,
      prompt_tokens_details: { cached_tokens: cacheReadTokens },
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    },
  };
}

function splitWords(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\s)(?=\S)/);
}

function toEvent(chunk: JsonObject): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
