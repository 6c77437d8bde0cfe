import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { RetryOptions } from '../../src/clients/client/index.ts';
import { startHttpServer } from './http-server.ts';

/** A request as the scripted API received it. */
export interface ReceivedRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  /** The body as text. */
  text: string;
  /** The parsed body when it is JSON. */
  body: unknown;
}

/** Answers one request. */
export type Reply = (response: ServerResponse, request: ReceivedRequest) => void;

/** The replies by method and path: one for all requests, or a list that is used in order. */
export type Script = Record<string, Reply | Reply[]>;

/** A server with the HTTP contract of the API that answers from a script. */
export interface ScriptedApi {
  baseUrl: string;
  apiKey: string;
  requests: ReceivedRequest[];
  /** The requests to one method and path, such as `GET /api/agents`. */
  to(route: string): ReceivedRequest[];
  stop(): Promise<void>;
}

/** Short retry delays for tests. */
export const quickRetry: RetryOptions = { attempts: 4, reconnects: 5, delayMs: 1 };

/** Starts a scripted API on a free port for the time of the test. It answers unscripted requests with 500. */
export async function startScriptedApi(script: Script): Promise<ScriptedApi> {
  const apiKey = `holdfast_test_${randomBytes(8).toString('hex')}`;
  const requests: ReceivedRequest[] = [];
  const { url: baseUrl, close: stop } = await startHttpServer((incoming, response, body) => {
    const request = toRequest(incoming, body);
    requests.push(request);
    if (request.headers.authorization !== `Bearer ${apiKey}`) {
      failWith(401, { code: 'UNAUTHORIZED', message: 'Expected an API key.' })(response, request);
    } else {
      nextReply(script, `${request.method} ${request.path}`)(response, request);
    }
  });
  onTestFinished(stop);
  const to = (route: string) => requests.filter(({ method, path }) => `${method} ${path}` === route);
  return { baseUrl, apiKey, requests, to, stop };
}

function nextReply(script: Script, route: string): Reply {
  const replies = script[route];
  if (typeof replies === 'function') return replies;
  return (
    replies?.shift() ??
    failWith(500, { code: 'INTERNAL', message: `The script says nothing (more) about ${route}.` })
  );
}

function toRequest(incoming: IncomingMessage, text: string): ReceivedRequest {
  const url = new URL(incoming.url ?? '/', 'http://localhost');
  const isJson = incoming.headers['content-type']?.startsWith('application/json') === true;
  return {
    method: incoming.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: incoming.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}

/** Answers with data. */
export function answerWith(data: unknown, status = 200): Reply {
  return (response) => sendJson(response, status, { success: true, data });
}

/** Answers with an error of the API. */
export function failWith(status: number, error: { code: string; message: string; details?: unknown }): Reply {
  return (response) => sendJson(response, status, { success: false, error });
}

/** Answers like a proxy that cannot reach its server. */
export function badGateway(status = 502): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
  };
}

/** Closes the socket without an answer. */
export function dropSocket(): Reply {
  return (response) => response.destroy();
}

/** Answers that the stream has no more events. */
export function answerNoContent(): Reply {
  return (response) => {
    response.writeHead(204).end();
  };
}

/** Streams frames and then ends, breaks the socket in the middle of a frame, or sends nothing more. */
export function streamFrames(frames: string[], ending: 'end' | 'break' | 'silence' = 'end'): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(`retry: 1\n\n${frames.join('')}`);
    if (ending === 'end') response.end();
    if (ending !== 'break') return;
    response.write('id: 99.99\nevent: text.delta\ndata: {"cut', () => setImmediate(() => response.destroy()));
  };
}

/** Streams by event or page by `Accept`, as the event routes of the API do. */
export function streamOrPage(streams: Reply, page: Reply): Reply {
  return (response, request) =>
    (request.headers.accept === 'text/event-stream' ? streams : page)(response, request);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
