import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FieldError } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/json.ts';
import { findUnknownFields } from '../../domain/unknown-field.ts';

/** A tool call that the model asks for. */
export interface ScriptedCall {
  /** The name of a tool of the agent. */
  name: string;
  arguments?: JsonObject;
}

/** One answer of the model: a text, tool calls, or both. */
export interface ScriptedAnswer {
  text?: string;
  /** An object as the text, for turns with a response schema. */
  json?: JsonObject;
  calls?: ScriptedCall[];
}

/** An answer, or a function that makes one of what the model was asked. */
export type ScriptStep = ScriptedAnswer | ((request: ModelRequest) => ScriptedAnswer);

/** A request to the model, in the form of the Chat Completions protocol. */
export interface ModelRequest {
  messages: {
    role: 'system' | 'user' | 'assistant' | 'tool';
    content: string | null;
    tool_calls?: { id: string; function: { name: string; arguments: string } }[];
    tool_call_id?: string;
  }[];
  tools?: { function: { name: string; description?: string; parameters: JsonObject } }[];
}

const hint = 'A question takes all answers that were scripted since the question before it, and no others.';

/** A model that answers from a script, over HTTP as a real one. */
export interface ScriptedModel {
  /** The base URL of the vendor `compatible`. */
  baseUrl: string;
  /** All requests so far, oldest first. */
  requests: ModelRequest[];
  close: () => Promise<void>;
}

/**
 * Starts a scripted model on the loopback address. A request for which the script has no step fails, and is not repeated.
 * @param takeStep removes and returns the next step for a request with this idempotency key
 */
export async function startScriptedModel(
  takeStep: (key: string) => Promise<ScriptStep | undefined>,
): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = JSON.parse(await readText(incoming)) as ModelRequest;
    requests.push(request);
    const number = requests.length;
    const step = await takeStep(String(incoming.headers['idempotency-key']));
    if (step === undefined) {
      refuse(response, `The script of the model has no step for request ${number}. ${hint}`);
      return;
    }
    sendAnswer(response, typeof step === 'function' ? checkAnswer(step(request)) : step, number);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      refuse(
        response,
        `The script of the model failed: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** @throws TypeError for a field that a step that is no function does not have */
export function checkSteps(steps: readonly ScriptStep[]): void {
  for (const step of steps) if (typeof step !== 'function') checkAnswer(step);
}

/** @throws TypeError for a field that answers or their calls do not have */
function checkAnswer(answer: ScriptedAnswer): ScriptedAnswer {
  const found = [
    ...findUnknownFields(answer, ['text', 'json', 'calls']),
    ...(answer.calls ?? []).flatMap((call) => findUnknownFields(call, ['name', 'arguments'])),
  ];
  refuseFields('script', found);
  return answer;
}

/** @throws TypeError that names the fields of an object that are not known */
export function refuseFields(name: string, found: FieldError[]): void {
  if (found.length === 0) return;
  throw new TypeError(`${name}: ${found.map(({ field, message }) => `${field}: ${message}`).join('; ')}`);
}

async function readText(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of incoming.setEncoding('utf8')) text += String(part);
  return text;
}

/** Holdfast does not repeat a request that was answered with 400. */
function refuse(response: ServerResponse, message: string): void {
  response.writeHead(400, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message, type: 'script' } }));
}

function sendAnswer(response: ServerResponse, answer: ScriptedAnswer, number: number): void {
  const { json, calls = [] } = answer;
  const text = answer.text ?? (json && JSON.stringify(json));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const delta = {
    ...(text !== undefined && { content: text }),
    ...(calls.length > 0 && { tool_calls: calls.map((call, index) => toCall(call, { index, number })) }),
  };
  const finishReason = calls.length > 0 ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  for (const chunk of [toChunk(delta, null), toChunk({}, finishReason), { ...toChunk(), usage }]) {
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }
  response.end('data: [DONE]\n\n');
}

function toCall(
  { name, arguments: input = {} }: ScriptedCall,
  place: { index: number; number: number },
): object {
  const id = `call_${place.number}_${place.index}`;
  return { index: place.index, id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

function toChunk(delta?: object, finishReason: string | null = null): object {
  const choices = delta ? [{ index: 0, delta, finish_reason: finishReason }] : [];
  return { id: 'scripted', object: 'chat.completion.chunk', created: 0, model: 'scripted', choices };
}
