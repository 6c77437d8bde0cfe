import type { HoldfastClient, StartTurnRequest } from '../client/index.ts';
import { conversationFor } from './conversation-for.ts';
import { isApiError } from './api-error.ts';
import { RequestError, toErrorResponse } from './failure.ts';
import { toPageEvent } from './page-event.ts';
import { BodyTooLargeError, readBody } from './read-body.ts';
import { toSse, type SseOptions } from './to-sse.ts';

/** A handler by the Fetch standard. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** The options of a chat handler. */
export interface ChatHandlerOptions {
  holdfast: HoldfastClient;
  /** The name or the id of the agent. */
  agent: string;
  /** Returns the id of the customer who sent a request; null when no customer is signed in. */
  customer: (request: Request) => string | null | Promise<string | null>;
  /** The treatment of a message while a turn runs. @default 'enqueue' */
  onBusy?: StartTurnRequest['onBusy'];
  /** Lets a message that steers end the model call that runs. @default false */
  now?: StartTurnRequest['now'];
  /** Returns what the reader gets of an event, or null to leave it out. @default toPageEvent */
  toEvent?: SseOptions['toEvent'];
  /** Called with errors that are not the reader's, whose message the reader does not get. @default console.error */
  onError?: ((error: unknown) => void) | undefined;
}

type Settings = ChatHandlerOptions & { onError: (error: unknown) => void };

/**
 * Creates the handler of a chat. POST with `{ message }` as JSON starts a turn in the conversation of the customer, for whom it
 * acts, and answers its events; the first one is `turn.accepted` with `turnId`. GET with `?turn=ID` and `Last-Event-ID` continues
 * after that event, for a turn of this customer. Errors are answered as JSON, `{ error: { code, message } }`; the handler
 * does not throw.
 */
export function createChatHandler(options: ChatHandlerOptions): FetchHandler {
  const settings = { ...options, onError: options.onError ?? console.error };
  return async (request) => {
    try {
      return await answer(request, settings);
    } catch (error) {
      const response = toErrorResponse(error, settings.onError);
      if (response.status === 405) response.headers.set('allow', 'GET, POST');
      return response;
    }
  };
}

async function answer(request: Request, settings: Settings): Promise<Response> {
  if (request.method !== 'POST' && request.method !== 'GET')
    throw new RequestError(405, 'METHOD_NOT_ALLOWED', `Expected GET or POST, found ${request.method}.`);
  const customer = await settings.customer(request);
  if (!customer) throw new RequestError(401, 'UNAUTHORIZED', 'Sign in first.');
  return request.method === 'POST'
    ? startTurn(request, customer, settings)
    : resumeTurn(request, customer, settings);
}

async function startTurn(request: Request, customer: string, settings: Settings): Promise<Response> {
  const { holdfast, agent, onBusy = 'enqueue', now } = settings;
  const message = await readMessage(request);
  const { id: conversationId } = await conversationFor(holdfast, { agent, customer });
  const key = request.headers.get('idempotency-key');
  const turn = await holdfast.turns.start({
    conversationId,
    message,
    onBusy,
    now,
    actingFor: customer,
    ...(key ? { idempotencyKey: await toOwnKey(conversationId, key) } : {}),
  });
  const opening = { type: 'turn.accepted', turnId: turn.id, conversationId };
  return send(turn.id, { opening, signal: request.signal }, settings);
}

async function resumeTurn(request: Request, customer: string, settings: Settings): Promise<Response> {
  const turnId = new URL(request.url).searchParams.get('turn') ?? '';
  if (!(await isOwnTurn(turnId, customer, settings)))
    throw new RequestError(404, 'NOT_FOUND', 'There is no such turn.');
  const lastEventId = request.headers.get('last-event-id') ?? undefined;
  return send(turnId, { lastEventId, signal: request.signal }, settings);
}

function send(turnId: string, options: SseOptions, settings: Settings): Promise<Response> {
  const { holdfast, toEvent = toPageEvent, onError } = settings;
  return toSse(holdfast, turnId, { ...options, toEvent, onError });
}

async function isOwnTurn(turnId: string, customer: string, settings: Settings): Promise<boolean> {
  const { holdfast, agent } = settings;
  if (!/^[\da-f-]+$/i.test(turnId)) return false;
  try {
    const turn = await holdfast.turns.get(turnId);
    const conversation = await conversationFor(holdfast, { agent, customer });
    return turn.conversationId === conversation.id;
  } catch (error) {
    const isUnknown = isApiError(error) && (error.status === 404 || error.status === 400);
    if (isUnknown) return false;
    throw error;
  }
}

/** Only JSON, which a form of another site cannot send; and only a text, since parts may name files of other people. */
async function readMessage(request: Request): Promise<string> {
  const type = request.headers.get('content-type') ?? 'no content type';
  if (!/^application\/json\b/i.test(type))
    throw new RequestError(415, 'UNSUPPORTED_MEDIA_TYPE', `Expected application/json, found ${type}.`);
  const body = parseJson(await readText(request));
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined;
  if (typeof message === 'string' && message.trim() !== '') return message;
  throw new RequestError(400, 'INVALID_INPUT', 'message: expected a text that is not empty');
}

async function readText(request: Request): Promise<string> {
  try {
    return new TextDecoder().decode(await readBody(request));
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    throw new RequestError(413, 'PAYLOAD_TOO_LARGE', 'Expected at most 1 MiB.');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestError(400, 'INVALID_INPUT', 'Expected JSON.');
  }
}

/** Keys are unique in a workspace, so the same key of two customers must not become one. */
async function toOwnKey(conversationId: string, key: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${conversationId}\n${key}`);
  const hash = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
