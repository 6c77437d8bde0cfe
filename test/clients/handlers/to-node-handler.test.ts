import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toNodeHandler, type FetchHandler } from '../../../src/clients/handlers/index.ts';

/** Starts a server with the handler at `/in/chat`, and returns its address. */
type Start = (handler: FetchHandler) => Promise<string>;

async function toAddress(server: Server): Promise<string> {
  if (!server.listening) await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/in/chat`;
}

const startExpress =
  (parse: boolean): Start =>
  (handler) => {
    const router = express.Router().all('/chat', toNodeHandler(handler));
    const app = express();
    app.use((_request, response, next) => {
      response.setHeader('x-before', 'kept');
      next();
    });
    if (parse) app.use(express.json());
    return toAddress(app.use('/in', router).listen(0, '127.0.0.1'));
  };

const startFastify =
  (parse: boolean): Start =>
  async (handler) => {
    const app = fastify();
    if (!parse) {
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    }
    app.addHook('onRequest', async (_request, reply) => void reply.header('x-before', 'kept'));
    app.all('/in/chat', toNodeHandler(handler));
    await app.listen({ port: 0, host: '127.0.0.1' });
    return toAddress(app.server);
  };

const startNode: Start = (handler) => {
  const answer = toNodeHandler(handler);
  const server = createServer((request, response) => {
    response.setHeader('x-before', 'kept');
    void answer(request, response);
  });
  return toAddress(server.listen(0, '127.0.0.1'));
};

const startHono: Start = (handler) => {
  const app = new Hono().all('/in/chat', async ({ req }) => {
    const response = await handler(req.raw);
    response.headers.set('x-before', 'kept');
    return response;
  });
  return toAddress(serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server);
};

const servers: [name: string, start: Start][] = [
  ['express', startExpress(false)],
  ['express after express.json()', startExpress(true)],
  ['fastify that has parsed the body', startFastify(true)],
  ['fastify that has not read the body', startFastify(false)],
  ['node:http', startNode],
  ['Hono', startHono],
];

const echo: FetchHandler = async (request) => {
  const { method, url, headers } = request;
  const { pathname, search } = new URL(url);
  const body = { method, pathname, search, cookie: headers.get('cookie'), text: await request.text() };
  const response = Response.json(body, { status: 201 });
  response.headers.append('set-cookie', 'one=1');
  response.headers.append('set-cookie', 'two=2');
  return response;
};

describe.each(servers)('a handler in %s', (_name, start) => {
  it('gets the whole request, and its response is sent with the headers that were set before', async () => {
    const url = await start(echo);
    const text = JSON.stringify({ message: 'Grüße 🎈' });
    const headers = { 'content-type': 'application/json', cookie: 'a=1; b=2' };
    const response = await fetch(`${url}?x=1&y=%20`, { method: 'POST', headers, body: text });
    expect(response.status).toBe(201);
    expect(response.headers.getSetCookie()).toEqual(['one=1', 'two=2']);
    expect(response.headers.get('x-before')).toBe('kept');
    expect(await response.json()).toEqual({
      ...{ method: 'POST', pathname: '/in/chat', search: '?x=1&y=%20', cookie: 'a=1; b=2', text },
    });
    expect(await (await fetch(url)).json()).toMatchObject({ method: 'GET', text: '' });
  });

  it('gets an aborted signal and a cancelled body when the reader goes away', async () => {
    const aborted = Promise.withResolvers<string>();
    const cancelled = Promise.withResolvers<string>();
    const url = await start((request) => {
      request.signal.addEventListener('abort', () => aborted.resolve('aborted'));
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode('first')),
        cancel: () => cancelled.resolve('cancelled'),
      });
      return Promise.resolve(new Response(body));
    });
    const leaving = new AbortController();
    const response = await fetch(url, { signal: leaving.signal });
    const stream = response.body as ReadableStream<Uint8Array> | null;
    const part = await stream?.getReader().read();
    expect(new TextDecoder().decode(part?.value)).toBe('first');
    leaving.abort();
    expect(await Promise.all([aborted.promise, cancelled.promise])).toEqual(['aborted', 'cancelled']);
  });

  it('sends no more than the reader takes', async () => {
    const sent = { parts: 0 };
    const url = await start(() => {
      const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
        sent.parts += 1;
        if (sent.parts > 1000) controller.close();
        else controller.enqueue(new Uint8Array(64 * 1024));
      };
      return Promise.resolve(new Response(new ReadableStream({ pull })));
    });
    const response = await fetch(url);
    await sleep(200);
    expect(sent.parts).toBeLessThan(1000);
    let length = 0;
    // The body is taken from the response here, since undici cancels that of a response which nothing holds.
    for await (const part of response.body ?? []) length += (part as Uint8Array).byteLength;
    expect(length).toBe(1000 * 64 * 1024);
  });
});
